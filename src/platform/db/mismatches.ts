import type { Mismatch } from '../ports/operations.ts';
import type { Query } from './connection.ts';

// SQL: rules over rows are one statement over one snapshot, and each rule is a query of its own.

/** A query of two columns, subject and detail: a row for each fault. */
export type BookRule = { readonly rule: string; readonly sql: string };

/**
 * The faults that these rules find, by rule and subject; none when all is well. One statement is one snapshot: a commit between two reads
 * would look like a fault. Throws DATABASE_UNREACHABLE.
 */
export function findMismatches(query: Query, rules: readonly BookRule[]): Promise<readonly Mismatch[]> {
  const all = rules.map(
    ({ rule, sql }) =>
      `SELECT '${rule}' AS rule, found.subject, found.detail FROM (${sql}) AS found (subject, detail)`,
  );
  return query<Mismatch>(`${all.join('\nUNION ALL\n')}\nORDER BY rule, subject`, []);
}
