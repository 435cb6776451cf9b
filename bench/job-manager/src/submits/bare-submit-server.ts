import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express from 'express';
import jwt from 'jsonwebtoken';
import { Pool } from 'pg';

/*
 * The least that a submission can cost in Node with Express: the same body is parsed, the same token verified, and one
 * row with a unique key inserted, each by its own commit; without permissions, validation, configuration, history,
 * audit record, log line or metrics. Takes the address of the database, the key file and the port as arguments.
 */
const [connectionString = '', keyFile = '', port = '0'] = process.argv.slice(2);

const key = createPublicKey(readFileSync(keyFile));
const pool = new Pool({ connectionString, max: 10 });
await pool.query(
  'CREATE TABLE IF NOT EXISTS bare_jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ext_ipid text UNIQUE, job jsonb)',
);
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.post('/jobs', express.json(), (request, response, next) => {
  jwt.verify((request.headers.authorization ?? '').slice('Bearer '.length), key, { algorithms: ['ES256'] });
  const body = request.body as { extIPID: string };
  insert(body).then((id) => response.status(201).json({ id, ...body }), next);
});
app.listen(Number(port), '127.0.0.1');

async function insert(body: { extIPID: string }): Promise<number> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'insert',
    text: 'INSERT INTO bare_jobs (ext_ipid, job) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id',
    values: [body.extIPID, JSON.stringify(body)],
  });
  return Number(rows[0]?.id);
}
