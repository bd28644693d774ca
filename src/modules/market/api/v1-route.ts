import type { z } from 'zod';
import type { Route } from '../../../platform/http/route.ts';
import { route } from '../../../platform/http/route.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { LIST_CODES, type ListQuery, listQuery, MARKET_CODES, marketQuery } from './market-input.ts';
import { marketList } from './market-list.ts';

const DEPRECATED = 'Deprecated, and kept: see the header `link` for what replaces it.';
/** An address for examples. */
export const EXAMPLE_MARKET = '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj';

type Common<Input> = Pick<
  Route<Input>,
  | 'path'
  | 'operationId'
  | 'summary'
  | 'input'
  | 'inputExample'
  | 'output'
  | 'codes'
  | 'handle'
  | 'pathFields'
  | 'guarded'
> & { readonly description: string; readonly successor: (input: Input) => string };

/** Market data as the specification has it. */
export function v1Route<Input>({ description, successor, ...common }: Common<Input>): Route {
  return route<Input>({
    ...common,
    act: 'reads',
    method: 'GET',
    scope: 'market',
    envelope: 'v1',
    description: `${description} ${DEPRECATED}`,
    deprecated: successor,
    across: () => [],
    fieldsOf: () => ({}),
  });
}

/** One record per market, for all markets. */
export function v1List<R>(
  common: Pick<Common<ListQuery>, 'path' | 'operationId' | 'summary' | 'description'> & {
    readonly name: string;
    readonly successor: string;
    readonly schema: z.ZodType<R>;
    readonly record: (entry: MarketEntry) => R | null;
    readonly example: R;
  },
): Route {
  const { name, schema, record, example, successor, ...rest } = common;
  return v1Route<ListQuery>({
    ...rest,
    input: { in: 'query', name: `${name}Request`, schema: listQuery },
    inputExample: { limit: '100' },
    output: { name: `${name}Response`, schema: schema.array(), example: [example] },
    codes: LIST_CODES,
    successor: () => successor,
    handle: (deps, query) => marketList(deps, { path: rest.path, envelope: 'v1', record }, query),
  });
}

type MarketQuery = z.infer<typeof marketQuery>;

/** One market, named in the path. */
export function v1Market(
  common: Pick<Common<MarketQuery>, 'path' | 'operationId' | 'summary' | 'description' | 'handle'> & {
    readonly name: string;
    readonly schema: z.ZodType;
    readonly example: unknown;
    /** Behind `/markets/<address>`. */
    readonly successor: string;
  },
): Route {
  const { name, schema, example, successor, ...rest } = common;
  return v1Route<MarketQuery>({
    ...rest,
    pathFields: ['address'],
    input: { in: 'query', name: `${name}Request`, schema: marketQuery },
    inputExample: { address: EXAMPLE_MARKET },
    output: { name: `${name}Response`, schema, example },
    codes: MARKET_CODES,
    successor: ({ address }) => `/markets/${address}${successor}`,
  });
}
