import { answerText } from './answer.ts';
import { PaperError } from './paper-account.ts';
import { isObject, type Service, ServiceError } from './service.ts';
import type { Tool } from './tool.ts';
import { createTools } from './tools.ts';

/** The newest first. */
export const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const INSTRUCTIONS =
  'Tools over a Tradepost REST API on Solana. Build tools answer with unsigned transactions; no tool signs or submits. Amounts are texts of smallest units: 1 SOL is 1000000000 lamports. Try an idea with paper_buy and paper_sell first.';

type Id = string | number;
export type Reply =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: object }
  | {
      readonly jsonrpc: '2.0';
      readonly id: Id | null;
      readonly error: { readonly code: number; readonly message: string };
    };

export type Mcp = {
  /** Answers one message of JSON-RPC. null where none is owed: for a notification, a cancelled request, and an answer of the client. */
  readonly handle: (message: unknown) => Promise<Reply | null>;
};

const refuse = (id: Id | null, code: number, message: string): Reply => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** The answer to bytes that are no JSON. */
export const PARSE_ERROR: Reply = refuse(null, -32_700, 'expected one message of JSON');

/** One session over one service: its tools, and a paper account that ends with it. */
export function createMcp(service: Service, version: string): Mcp {
  const tools = createTools(service);
  const running = new Map<Id, AbortController>();

  async function call(id: Id, params: unknown): Promise<Reply | null> {
    const { name, arguments: given = {} } = isObject(params) ? params : {};
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined)
      return refuse(id, -32_602, `no tool ${JSON.stringify(name ?? null)}; see tools/list`);
    if (!isObject(given)) return refuse(id, -32_602, 'arguments: expected an object');
    if (running.has(id)) return refuse(id, -32_600, 'a request with this id is under way');
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await resultOf(tool, given, controller.signal);
      return controller.signal.aborted ? null : { jsonrpc: '2.0', id, result };
    } catch {
      return refuse(id, -32_603, `${tool.name} failed, by a fault of this server`);
    } finally {
      running.delete(id);
    }
  }

  return {
    handle: async (message) => {
      if (!isObject(message) || message['jsonrpc'] !== '2.0')
        return refuse(null, -32_600, 'expected one message of JSON-RPC 2.0');
      const { id, method, params } = message;
      if (method === 'notifications/cancelled' && isObject(params)) {
        const { requestId } = params;
        if (isId(requestId)) running.get(requestId)?.abort();
        return null;
      }
      // A notification has no id, an answer of the client has no method.
      if (id === undefined || method === undefined) return null;
      if (!isId(id) || typeof method !== 'string')
        return refuse(null, -32_600, 'expected an id of text or number, and a method');
      switch (method) {
        case 'initialize':
          return { jsonrpc: '2.0', id, result: greeting(params, version) };
        case 'ping':
          return { jsonrpc: '2.0', id, result: {} };
        case 'tools/list':
          return { jsonrpc: '2.0', id, result: { tools: tools.map(listed) } };
        case 'tools/call':
          return call(id, params);
        default:
          return refuse(id, -32_601, `no method ${method}`);
      }
    },
  };
}

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

function greeting(params: unknown, version: string): object {
  const asked = isObject(params) ? params['protocolVersion'] : null;
  return {
    protocolVersion: VERSIONS.find((one) => one === asked) ?? VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'tradepost', title: 'Tradepost', version },
    instructions: INSTRUCTIONS,
  };
}

const listed = ({ name, title, description, input, isReadOnly }: Tool): object => ({
  name,
  title,
  description,
  inputSchema: input,
  annotations: { title, readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: true },
});

/** A refusal is a result that says so: the agent reads it and asks better. */
async function resultOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<object> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(tool.input.properties, name));
  const missing = (tool.input.required ?? []).filter((name) => given[name] === undefined);
  const faults = [
    ...unknown.map((name) => `${name}: no argument of this tool`),
    ...missing.map((name) => `${name}: is required`),
  ];
  if (faults.length > 0) return failed(faults.join('\n'));
  try {
    return { content: [{ type: 'text', text: answerText(await tool.run(given, signal)) }] };
  } catch (error) {
    if (error instanceof ServiceError || error instanceof PaperError || error instanceof TypeError)
      return failed(error.message);
    throw error;
  }
}

const failed = (message: string): object => ({ isError: true, content: [{ type: 'text', text: message }] });
