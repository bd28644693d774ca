/** A file in which an operator names pools. It may change, be gone or be anything at any time. */
export interface SeedFile {
  /** For log lines. */
  readonly path: string;
  /** Another text whenever the file was written; null where there is no file. */
  version(): Promise<string | null>;
  /** Its whole lines, and whether more follow that were not read. Rejects where it cannot be read. */
  read(): Promise<{ readonly text: string; readonly isCut: boolean }>;
}
