import type { Knex } from 'knex';

/** A pool of connections to PostgreSQL, and the query builder over it. */
export type Database = Knex;

/** One open transaction. */
export type Transaction = Knex.Transaction;

/** The pool, or the transaction to which a query belongs. */
export type Queryable = Database | Transaction;
