import { createHash } from 'node:crypto';

/**
 * A dump is JSON lines: a header, then for each table a line with its columns and one line per row (every value as Postgres's own text, or
 * null). Then comes a footer with the number of rows and the SHA-256 of all bytes before it. It holds sealed keys.
 */
export const DUMP_FORMAT = 'tradepost-dump';
export const DUMP_VERSION = 1;

export type DumpHeader = {
  readonly format: typeof DUMP_FORMAT;
  readonly version: typeof DUMP_VERSION;
  /** When the snapshot was taken, by the database's clock. */
  readonly createdAt: string;
  /** Migrations the database had, in order: a dump is restored by a program of exactly this schema. */
  readonly migrations: readonly string[];
};

export type DumpTable = {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
};

export type DumpRow = readonly (string | null)[];

export type DumpFooter = { readonly rows: number; readonly sha256: string };

/** Thrown for a file that is no whole dump, and for a database it cannot go into. The message gives the mend. */
export class DumpError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'DumpError';
  }
}

/** A running digest over the lines of a dump. */
export function lineDigest() {
  const hash = createHash('sha256');
  return {
    add: (line: string): void => void hash.update(line).update('\n'),
    hex: (): string => hash.digest('hex'),
  };
}

/** An SQL identifier, with any characters. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
