import { type Address, isAddress, isOnCurve, SOL_DECIMALS, WSOL_MINT } from '@tradepost/solana';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { bps } from '../../../core/amounts/bps.ts';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import type { SharedPath } from '../../../platform/http/cors.ts';
import { withinDeadline } from '../../../platform/http/deadline.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { createTokenBuckets } from '../../../platform/http/limits/token-bucket.ts';
import type { Passport } from '../../passport/rules/passport.ts';
import { displayName, displaySymbol } from '../../tokens/rules/display-name.ts';
import { amountOf } from '../rules/amount.ts';
import { type ActionToken, cardOf, type Side } from '../rules/describe.ts';

const RULES_PATH = '/actions.json';
const ACTION_PATH = '/actions/:side/:mint';
/** Headers that clients of Actions send beside those of the API. */
const ACTION_HEADERS = 'authorization, content-encoding, accept-encoding';

/** Pages of every origin ask these: a client of Actions is such a page. */
export const ACTION_PATHS: readonly SharedPath[] = [
  { path: RULES_PATH, methods: ['GET', 'HEAD'], allowsHeaders: ACTION_HEADERS },
  { path: ACTION_PATH, methods: ['GET', 'HEAD', 'POST'], allowsHeaders: ACTION_HEADERS },
];

/** Clients ask for many people from one address, so a wallet has a limit of its own, and all of them one together. */
const OF_A_WALLET = { ratePerSecond: 1 / 6, burst: 10 };
const OF_ALL = { ratePerSecond: 20, burst: 40 };
/** A client reads the rules and a card before it asks for a transaction, so the host's one request a second would stop it. */
export const ACTIONS_OF_A_CLIENT = { ratePerSecond: 5, burst: 20 };
const SLIPPAGE = bps(300);
const VERSION = '2.4';
const CHAIN_REFERENCE_CHARACTERS = 32;

const params = z.object({
  side: z.enum(['buy', 'sell']),
  mint: z.string().refine((text) => isAddress(text)),
});
const account = z.object({ account: z.string().max(64) });

type ActionDeps = Pick<ApiDeps, 'site' | 'tokens' | 'quoteSwap' | 'buildSwap' | 'clock' | 'genesisHash'>;

/**
 * Serves Solana Actions. Each answer carries the headers of the specification, and a refusal is `{message}`. A transaction is unsigned
 * where the wallet's signature belongs; a venue's own signature is in place, and a client must not change such bytes.
 */
export function serveActions(
  app: FastifyInstance,
  deps: ActionDeps,
  {
    admit,
    known,
  }: {
    readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    readonly known: (error: unknown, requestId: string) => ApiError;
  },
): void {
  const buckets = createTokenBuckets({ steadyMs: steadyOf(deps.clock) });
  const chainId = rememberedChain(deps);
  const told = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await admit(request, reply);
      reply.headers({ 'x-action-version': VERSION, 'x-blockchain-ids': await chainId() });
    },
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { status, message, headers } = known(error, request.id);
      void reply.code(status).headers(headers).send({ message });
    },
  };
  app.get(RULES_PATH, told, async () => ({
    rules: [
      { pathPattern: '/token/*', apiPath: '/actions/buy/*' },
      { pathPattern: '/actions/**', apiPath: '/actions/**' },
    ],
  }));
  app.get(ACTION_PATH, told, async (request) => {
    const { side, mint } = read(request);
    const { token, url } = await found(deps, mint);
    return cardOf(side, token, url);
  });
  app.post(ACTION_PATH, told, async (request) => {
    const { side, mint } = read(request);
    const { token, decimals } = await found(deps, mint);
    if (side === 'buy' && token.level === 'BLOCK')
      throw refused('this token is blocked here; its passport says why');
    const amount = amountOf(side, isRecord(request.query) ? request.query : {}, decimals);
    if (amount === null)
      throw refused(
        side === 'buy'
          ? 'sol: expected a number of SOL above 0, with at most 9 digits behind the point'
          : `tokens: expected a number above 0, with at most ${decimals} digits behind the point`,
      );
    const user = walletOf(request.body);
    for (const [key, allowance] of [
      [user, OF_A_WALLET],
      ['', OF_ALL],
    ] as const) {
      const { allowed, retrySeconds } = buckets.take(key, allowance);
      if (!allowed) throw tooMany(retrySeconds);
    }
    return withinDeadline(transactionOf(deps, { side, token, decimals, amount, user }));
  });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The chain in the words of CAIP-2, asked for once. */
function rememberedChain({ genesisHash }: ActionDeps): () => Promise<string> {
  let known: string | null = null;
  return async () => {
    known ??= `solana:${(await genesisHash()).slice(0, CHAIN_REFERENCE_CHARACTERS)}`;
    return known;
  };
}

function read(request: FastifyRequest): { readonly side: Side; readonly mint: Address } {
  const { success, data } = params.safeParse(request.params);
  if (!success || !isAddress(data.mint))
    throw missing('expected /actions/buy/<mint> or /actions/sell/<mint>');
  if (data.mint === WSOL_MINT) throw missing('SOL is the other side of each action; expected another token');
  return { side: data.side, mint: data.mint };
}

function walletOf(body: unknown): Address {
  const { success, data } = account.safeParse(body);
  if (!success || !isAddress(data.account) || !isOnCurve(data.account))
    throw refused('account: expected the address of a wallet');
  return data.account;
}

async function found(
  deps: ActionDeps,
  mint: Address,
): Promise<{ readonly token: ActionToken; readonly decimals: number; readonly url: string }> {
  const url = deps.site.publicUrl();
  if (url === null) throw missing('this service has no public address, so it offers no actions');
  const passport = await deps.site.passport(mint);
  if (passport === null) throw missing('no token has this address on this cluster');
  // The passport is enough without its markets.
  const profile = await deps.tokens.profile(mint).catch(() => null);
  const { token: record } = passport.record;
  const symbol = displaySymbol(record);
  return {
    url,
    decimals: record.decimals,
    token: {
      mint,
      symbol,
      name: displayName(record.name) ?? symbol,
      level: worse(passport.level, profile?.safety.level ?? 'OK'),
      priceUsd: profile?.price?.usd ?? null,
    },
  };
}

const LEVELS: readonly Passport['level'][] = ['OK', 'CAREFUL', 'BLOCK'];
const worse = (a: Passport['level'], b: Passport['level']): Passport['level'] =>
  LEVELS.indexOf(a) > LEVELS.indexOf(b) ? a : b;

async function transactionOf(
  { buildSwap }: ActionDeps,
  {
    side,
    token: { mint, symbol },
    decimals,
    amount,
    user,
  }: {
    readonly side: Side;
    readonly token: ActionToken;
    readonly decimals: number;
    readonly amount: bigint;
    readonly user: Address;
  },
): Promise<Readonly<Record<string, string>>> {
  const [mintIn, mintOut] = side === 'buy' ? [WSOL_MINT, mint] : [mint, WSOL_MINT];
  const result = await buildSwap({ user, mintIn, mintOut, amount, slippageBps: SLIPPAGE, referrer: null });
  // There is no referrer who could be refused.
  if (result.kind !== 'built') throw new Error('a swap without a referrer was refused for one');
  const { transaction, priced } = result.swap;
  const [sold, got] = [
    formatUnits(amount, side === 'buy' ? SOL_DECIMALS : decimals),
    formatUnits(priced.amountOut, side === 'buy' ? decimals : SOL_DECIMALS),
  ];
  const least = formatUnits(priced.leastOut, side === 'buy' ? decimals : SOL_DECIMALS);
  const impact = `${Math.floor(priced.route.priceImpactBps / 100)}.${String(priced.route.priceImpactBps % 100).padStart(2, '0')}`;
  return {
    type: 'transaction',
    transaction: Buffer.from(transaction).toString('base64'),
    message:
      side === 'buy'
        ? `Buys about ${got} ${symbol} for ${sold} SOL, at least ${least}. Price impact ${impact} %.`
        : `Sells ${sold} ${symbol} for about ${got} SOL, at least ${least}. Price impact ${impact} %.`,
  };
}

const missing = (message: string): ApiError => new ApiError({ status: 404, code: 'NOT_FOUND', message });
const refused = (message: string): ApiError =>
  new ApiError({ status: 400, code: 'VALIDATION_FAILED', message });
const tooMany = (retrySeconds: number): ApiError =>
  new ApiError({
    status: 429,
    code: 'RATE_LIMITED',
    message: `too many actions; ask again in ${retrySeconds} s`,
    retryable: true,
    headers: { 'retry-after': String(retrySeconds) },
  });
