import { readFileSync } from 'node:fs';
import { createMcp, type Mcp } from './protocol.ts';
import { serveHttp } from './serve-http.ts';
import { serveStdio } from './serve-stdio.ts';
import { createService } from './service.ts';

const USAGE = `usage: tradepost-mcp [--http PORT]

Environment:
  TRADEPOST_URL  address of a Tradepost host, such as https://api.example.org
  TRADEPOST_KEY  your key, for the keyed host; the open host takes none

Without --http it speaks over standard input and output.
`;

/** Runs the server until its input ends or a signal comes. A mistake of the caller ends the process with code 1 and one line. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const port = portOf(argv);
  if (port === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  let open: () => Mcp;
  try {
    const service = createService({ baseUrl: env['TRADEPOST_URL'] ?? '', apiKey: env['TRADEPOST_KEY'] });
    open = () => createMcp(service, ownVersion());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  if (port === null) return serveStdio(open(), process.stdin, process.stdout);
  const server = await serveHttp(open, port);
  process.stderr.write(`tradepost-mcp: ${server.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
}

/** The port of `--http`; null without it; undefined for anything else. */
function portOf(argv: readonly string[]): number | null | undefined {
  if (argv.length === 0) return null;
  const [option, value = '', ...more] = argv;
  const port = Number(value);
  const isPort = option === '--http' && more.length === 0 && /^\d{1,5}$/.test(value) && port < 65_536;
  return isPort ? port : undefined;
}

/** The folder of the sources and that of the build have package.json beside them. */
function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
