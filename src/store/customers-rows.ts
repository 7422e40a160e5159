// The rows of signatures stand among the records and changes of customers, and are told apart by their ids, which sort after
// all others. SQL that reads for customers names these conditions; what reads for zones does not.
import { FIRST_GENERATED_ID, generatedPrefix } from '../model/generated-row.ts';

/** The condition on a row of `records`. @param id its column with the id */
export function isCustomersRecord(id = 'id'): string {
  return `${id} < '${FIRST_GENERATED_ID}'`;
}

/** The condition on a row of `changes`, which may be about a domain. @param table its name in the query, and a dot */
export function isCustomersChange(table = ''): string {
  return `(${table}record_id IS NULL OR ${table}record_id < '${FIRST_GENERATED_ID}')`;
}

/**
 * The condition on a row of `records` that is at an owner of the served zone: all but those of NSEC3 records, whose owners
 * are hashes.
 */
export function isAtServedOwner(id = 'id'): string {
  const prefix = generatedPrefix.hashedName;
  // A tilde sorts after all characters of these ids.
  return `(${id} < '${prefix}' OR ${id} > '${prefix}~')`;
}
