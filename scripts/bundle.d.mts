export function bundled(entry: string, root?: string): Promise<string>;
export function writeBundle(entry: string, outdir: string, root?: string): Promise<void>;
