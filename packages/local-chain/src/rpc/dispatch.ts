import { accountMethods } from './accounts.ts';
import { blockMethods } from './blocks.ts';
import { clusterMethods } from './cluster.ts';
import { encodeJson } from './encode-json.ts';
import type { Methods, RpcContext } from './method.ts';
import { isRecord } from './params.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RpcError,
} from './rpc-error.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';

const METHODS: Methods = {
  ...accountMethods,
  ...blockMethods,
  ...clusterMethods,
  ...tokenMethods,
  ...transactionMethods,
};

export type Dispatch = (body: string) => string | null;

/**
 * Answers the text of a JSON-RPC request or batch. This is the one gate that every HTTP call passes. Null for
 * notifications, which get no answer. `log` hears of bugs only: refusals are ordinary.
 */
export function createDispatch(context: RpcContext, log: (line: string) => void): Dispatch {
  const answer = (request: unknown): string | null => {
    if (!isRecord(request) || typeof request['method'] !== 'string') {
      return failure(
        null,
        new RpcError(INVALID_REQUEST, 'Invalid request: expected { jsonrpc, id, method, params }'),
      );
    }
    const { id, method, params } = request;
    if (id === undefined) return null;
    try {
      return success(id, call(context, method, params));
    } catch (error) {
      if (error instanceof RpcError) return failure(id, error);
      log(`${method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return failure(id, new RpcError(INTERNAL_ERROR, `Internal error in ${method}`));
    }
  };
  return (body) => {
    let request: unknown;
    try {
      request = JSON.parse(body);
    } catch {
      return failure(null, new RpcError(PARSE_ERROR, 'Parse error: the body is not JSON'));
    }
    if (!Array.isArray(request)) return answer(request);
    if (request.length === 0)
      return failure(null, new RpcError(INVALID_REQUEST, 'Invalid request: empty batch'));
    const answers = request.map(answer).filter((one) => one !== null);
    return answers.length === 0 ? null : `[${answers.join(',')}]`;
  };
}

function call(context: RpcContext, method: string, params: unknown): unknown {
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (run === undefined) throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 64)}`);
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: "params" must be a list');
  }
  return run(Array.isArray(params) ? params : [], context);
}

export function success(id: unknown, result: unknown): string {
  return `{"jsonrpc":"2.0","result":${encodeJson(result)},"id":${encodeJson(id)}}`;
}

export function failure(id: unknown, error: RpcError): string {
  const { code, message, data } = error;
  return `{"jsonrpc":"2.0","error":${encodeJson({ code, message, data })},"id":${encodeJson(id)}}`;
}
