import type { Readable, Writable } from 'node:stream';
import { type Mcp, PARSE_ERROR, type Reply } from './protocol.ts';

const LONGEST_LINE = 1024 * 1024;

/**
 * One message per line, in and out. Requests run side by side. Resolves once the input has ended and every answer is written; a line beyond 1 MiB
 * ends it too, because its end cannot be waited for.
 */
export async function serveStdio(mcp: Mcp, input: Readable, output: Writable): Promise<void> {
  const running = new Set<Promise<void>>();
  const write = (reply: Reply | null): void => {
    if (reply !== null) output.write(`${JSON.stringify(reply)}\n`);
  };
  const take = (line: string): void => {
    if (line.trim() === '') return;
    const work = answered(mcp, line).then(write);
    running.add(work);
    void work.finally(() => running.delete(work));
  };
  let rest = '';
  input.setEncoding('utf8');
  for await (const part of input) {
    const lines = `${rest}${String(part)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (rest.length > LONGEST_LINE) {
      write(PARSE_ERROR);
      rest = '';
      break;
    }
  }
  take(rest);
  await Promise.all(running);
}

async function answered(mcp: Mcp, line: string): Promise<Reply | null> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return PARSE_ERROR;
  }
  return mcp.handle(message);
}
