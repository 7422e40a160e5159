import type { PostgresValue, Statement } from './postgres-connection.ts';

/** A value of one column. */
export type Scalar = Exclude<PostgresValue, readonly unknown[]>;

/** Passes one array for each column; returns no statement if there are no rows. */
export function forRows<Row>(
  text: string,
  rows: readonly Row[],
  columns: readonly ((row: Row) => Scalar)[],
): Statement[] {
  return rows.length === 0 ? [] : [{ text, values: columns.map((column) => rows.map(column)) }];
}
