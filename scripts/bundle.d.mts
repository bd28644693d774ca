export function bundled(entry: string, root?: string): Promise<string>;
export function writeBundle(
  entry: string,
  outdir: string,
  root?: string,
  change?: (path: string, text: string) => string,
): Promise<void>;

/** The text of a source for a bundle in `outdir`: a module that asks for its place gets the place of its source. */
export function atItsPlace(outdir: string, path: string, text: string): string;
