import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

const HOME = fileURLToPath(new URL('../mcp', import.meta.url));

/** The official client is in a folder of its own, which not everybody has filled. */
export const hasMcpClient = existsSync(`${HOME}/node_modules/@modelcontextprotocol/sdk`);
if (!hasMcpClient) {
  if (process.env['REQUIRE_ALL'] === '1')
    throw new Error('REQUIRE_ALL=1, but test/mcp is empty: run npm ci in it');
  process.stdout.write('skipped: run npm ci --ignore-scripts in test/mcp\n');
}

const listed = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      inputSchema: z.looseObject({}),
      annotations: z.looseObject({ readOnlyHint: z.boolean(), destructiveHint: z.literal(false) }),
    }),
  ),
});
const called = z.object({
  isError: z.boolean().optional(),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
});

type Raw = {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<unknown>;
  callTool(params: { name: string; arguments: object }): Promise<unknown>;
};
type Module = Readonly<Record<string, new (...args: readonly unknown[]) => unknown>>;

async function load(path: string): Promise<Module> {
  const file = createRequire(`${HOME}/package.json`).resolve(`@modelcontextprotocol/sdk/${path}`);
  return (await import(pathToFileURL(file.replace('/cjs/', '/esm/')).href)) as Module;
}

export type McpProgram = { readonly command: string; readonly args: readonly string[]; readonly env: object };

/** The official client, connected to a program on its standard input, or to an address of HTTP. */
export async function connectMcp(to: McpProgram | string) {
  const { Client } = await load('client/index.js');
  const { StdioClientTransport } = await load('client/stdio.js');
  const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
  if (
    Client === undefined ||
    StdioClientTransport === undefined ||
    StreamableHTTPClientTransport === undefined
  )
    throw new Error('the client of the Model Context Protocol has other names now');
  const client = new Client({ name: 'tradepost-test', version: '1.0.0' }) as Raw;
  await client.connect(
    typeof to === 'string' ? new StreamableHTTPClientTransport(new URL(to)) : new StdioClientTransport(to),
  );
  return {
    tools: async () => listed.parse(await client.listTools()).tools,
    /** The text of a tool's answer, and whether it is a refusal. */
    call: async (name: string, given: object) => {
      const { isError = false, content } = called.parse(await client.callTool({ name, arguments: given }));
      return { isError, text: content[0].text };
    },
    close: () => client.close(),
  };
}
