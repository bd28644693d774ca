/** Events for the operator. Fields are plain data; never a secret, never a whole update. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** The same logger with these fields on every line. */
  child(bindings: Readonly<Record<string, string>>): Logger;
}
