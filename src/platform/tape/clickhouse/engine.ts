import type { ClickHouseClient } from '@clickhouse/client';
import { AppError } from '../../../core/errors/app-error.ts';

/** The tape's calls to ClickHouse. */
export type Engine = {
  /** Rows of one statement. Integers of 64 bits and more come as text. Parameters are named: `{ids: Array(UInt64)}`. */
  readonly query: <Row>(
    text: string,
    params?: Readonly<Record<string, EngineParameter>>,
  ) => Promise<readonly Row[]>;
  /** A statement without rows. */
  readonly run: (text: string, params?: Readonly<Record<string, EngineParameter>>) => Promise<void>;
  readonly insert: (table: string, rows: readonly object[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type EngineParameter =
  | string
  | number
  | bigint
  | readonly string[]
  | readonly number[]
  | readonly bigint[];

/** A long batch is read in parts: parameters travel in the address of the request, which has a limit. */
export const PARAMETERS_AT_ONCE = 2_000;

/** Throws DATABASE_UNREACHABLE where the server does not answer; `where` names it in the message, without a password. */
export function createEngine(client: ClickHouseClient, where: string): Engine {
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw isLost(error) ? unreachable(error, where) : error;
    }
  };
  const settings = { output_format_json_quote_64bit_integers: 1 } as const;
  return {
    query: async <Row>(query: string, params: Readonly<Record<string, EngineParameter>> = {}) =>
      await asked(async () => {
        const answer = await client.query({
          query,
          query_params: params,
          format: 'JSONEachRow',
          clickhouse_settings: settings,
        });
        return await answer.json<Row>();
      }),
    run: (query, params = {}) =>
      asked(async () => {
        await client.command({ query, query_params: params });
      }),
    insert: async (table, rows) => {
      if (rows.length === 0) return;
      await asked(() => client.insert({ table, values: rows, format: 'JSONEachRow' }));
    },
    close: () => client.close(),
  };
}

/** Sockets that fail and answers that do not come; every other error is the server's answer to the statement. */
function isLost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : '';
  return (
    /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
    /timeout/i.test(message)
  );
}

function unreachable(error: unknown, where: string): AppError {
  const why = error instanceof Error ? error.message : String(error);
  return new AppError(
    'DATABASE_UNREACHABLE',
    { cause: `ClickHouse at ${where} does not answer (${why}). Start it, or correct CLICKHOUSE_URL.` },
    { cause: error },
  );
}
