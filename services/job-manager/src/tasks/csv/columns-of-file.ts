/** A column that an order names, where it is in the file. */
export interface PlacedColumn<C> {
  readonly index: number;
  readonly name: string;
  /** `undefined` for a column that the order does not name. */
  readonly column: C | undefined;
}

/** The columns of a file. */
export interface FileColumns<C> {
  readonly columns: readonly PlacedColumn<C>[];
  /** Fields of every record. */
  readonly width: number;
  /** What is wrong with the header: names that are missing, occur twice, or are not wanted. */
  readonly faults: readonly string[];
}

/** Characters of a name. */
const nameLengthAtMost = 512;

/** Finds the columns of an order in a header. Without columns, all of the header. */
export function columnsByHeader<C extends { readonly name: string }>(
  header: readonly string[],
  wanted: readonly C[] | undefined,
  othersFail: boolean,
): FileColumns<C> {
  const faults: string[] = [];
  const columns: PlacedColumn<C>[] = [];
  const byName = new Map(wanted?.map((column) => [column.name, column]));
  const seen = new Set<string>();
  for (const [index, name] of header.entries()) {
    const column = byName.get(name);
    if (name === '') faults.push(`the name of column ${index + 1} is empty`);
    else if (name.length > nameLengthAtMost) {
      faults.push(`the name of column ${index + 1} has more than ${nameLengthAtMost} characters`);
    } else if (seen.has(name)) faults.push(`the column ${JSON.stringify(name)} occurs twice`);
    else if (wanted && !column && othersFail) faults.push(`the column ${JSON.stringify(name)} is not expected`);
    else columns.push({ index, name, column });
    seen.add(name);
  }
  for (const { name } of wanted ?? []) {
    if (!seen.has(name)) faults.push(`the column ${JSON.stringify(name)} is missing`);
  }
  return { columns, width: header.length, faults };
}

/** The columns of a file without a header: those of the order, or so many as the first record has. */
export function columnsByPlace<C extends { readonly name: string }>(
  first: readonly string[],
  wanted: readonly C[] | undefined,
): FileColumns<C> {
  const columns = wanted?.map((column, index) => ({ index, name: column.name, column })) ?? [];
  return { columns, width: wanted?.length ?? first.length, faults: [] };
}

/** What is wrong with the number of fields of a record. */
export function widthFault(fields: readonly string[], width: number): string | undefined {
  return fields.length === width ? undefined : `the record has ${fields.length} fields, and ${width} are expected`;
}
