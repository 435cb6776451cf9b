/**
 * A fileset id that no file has had, reserved for an upload when it begins: what is said of its commit can then be part of
 * the statement that commits it.
 */
export const nextFilesetSql = `nextval('filebox.entries_id_seq')`;
