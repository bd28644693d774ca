import { ensureTreasury } from '../../../src/engine/fees/use/ensure-treasury.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { ConfirmedIntent } from '../../../src/engine/intents/rules/confirmation.ts';
import {
  type KeyedTrade,
  keyedKey,
  type SignedText,
  TRADE_REQUEST,
} from '../../../src/modules/personal-keys/rules/keyed-trade.ts';
import type { KeyTerms } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import type { KeyHolder } from '../../../src/platform/ports/key-holder.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { addedProgram, type Program, type Signing, signedHeaders } from '../../api/program.ts';
import { intentRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { booksOver, emptyWitness, testSigning } from '../../support/fakes/signing.ts';
import { testSigner } from '../../support/signer.ts';
import { MINT, PARAMS } from '../intents/build.ts';

export const SOL = 1_000_000_000n;
export const DAY = 86_400_000;

/** Signs everything: what the policy says of the bytes is not asked here. Each message has a signature of its own. */
const KEYS = {
  sign: async ({ message }: { readonly message: Uint8Array }) =>
    Uint8Array.from({ length: 64 }, (_, at) => message[at % message.length] ?? 0),
  holds: async () => true,
} as unknown as KeyHolder;

export const TERMS: KeyTerms = {
  rights: ['trade'],
  orderLamports: SOL,
  dayLamports: 3n * SOL,
  tokens: [MINT],
  ips: null,
};

/** What a program asks for here, and parts of it that a test changes. */
export const TRADE: KeyedTrade = {
  side: 'buy',
  mint: MINT,
  amount: SOL,
  minReceived: 900n,
  priority: 'normal',
  idempotencyKey: 'one',
};

export const bodyOf = (trade: KeyedTrade): string =>
  JSON.stringify({
    ...trade,
    amount: trade.amount.toString(),
    minReceived: trade.minReceived.toString(),
  });

/** The params that an honest API makes of a trade. */
export function paramsOf({
  side,
  mint,
  amount,
  minReceived: minOut,
  priority: tier,
}: KeyedTrade): IntentParams {
  const terms = { ...PARAMS.buy.terms, amountIn: amount, quotedOut: minOut * 2n, minOut };
  return side === 'buy'
    ? { kind: 'buy', mint, lamportsIn: amount, terms, tier }
    : { kind: 'sell', mint, amountIn: amount, terms, tier };
}

/** A person with a key of a program, and a signer with a journal over this database. What it signs is stored there at once. */
export async function keyedRig(db: Database) {
  const clock = fakeClock();
  const log: object[] = [];
  const ids = fakeIds();
  await ensureTreasury({ db, vault: testSigner({ db, clock }), clock, ids });
  const { user, wallet } = await storedPerson(db);
  const of = { userId: user.id, walletId: wallet.id };
  const program = (more: Partial<Parameters<typeof addedProgram>[2]> = {}): Promise<Program> =>
    addedProgram(db, of, { until: clock.now() + 30 * DAY, terms: TERMS, ...more });
  const books: ReturnType<typeof booksOver> = {
    ...booksOver(db),
    known: async ({ intentIds }) => ({
      intents: new Set(intentIds),
      signatures: { has: () => true } as never,
      server: { inRecovery: false, fsync: true, synchronousCommit: 'on' },
    }),
  };
  const landed = new Set<string>();
  const witness = {
    ...emptyWitness(),
    probe: async (signature: string, round: number) => ({
      ...(await emptyWitness().probe(signature, round)),
      ...(landed.has('all')
        ? { finalizedHeight: 1n, status: { level: 'finalized', slot: 1n, err: null } as const }
        : {}),
    }),
  };
  const { signing, tries } = testSigning({ db, clock }, { books, witness });
  const vault = testSigner(
    { db, clock },
    { signing, tries, keys: KEYS, log: { error: (fields) => void log.push(fields), warn: () => undefined } },
  );
  const signed = (
    by: Program,
    trade: KeyedTrade,
    change: Partial<Signing> = {},
    body = bodyOf(trade),
  ): SignedText => {
    const { method, path: url } = TRADE_REQUEST;
    const headers = signedHeaders(by, clock.now(), { method, url, body }, change);
    const { 'signature-input': signatureInput = '', signature = '' } = headers;
    return { signatureInput, signature, body: Buffer.from(body, 'utf8') };
  };
  const requestOf = (
    by: Program,
    trade: KeyedTrade,
    more: Partial<ConfirmedIntent> = {},
  ): ConfirmedIntent => ({
    id: newId(),
    ...of,
    idemKey: keyedKey(by.key.id, trade.idempotencyKey),
    params: paramsOf(trade),
    ...more,
  });
  const store = async (request: ConfirmedIntent, confirmation: string | null): Promise<string> => {
    const { id, idemKey, params } = request;
    const row = intentRow(wallet, { id, idemKey, params, kind: params.kind, createdAt: clock.now() });
    await db.intents.insert({ ...row, confirmation });
    return id;
  };
  /** Asks, confirms and stores, as the API does. */
  const trades = async (by: Program, trade: KeyedTrade): Promise<string> => {
    const request = requestOf(by, trade);
    return store(request, await vault.confirmKeyed({ request, signed: signed(by, trade) }));
  };
  const signs = (intentId: string): Promise<Uint8Array> =>
    vault.sign({ intentId, message: Buffer.from(intentId.repeat(3)) });
  const beat = (): Promise<void> => signing.beat();
  /** Everything that was signed is on the chain from now on. */
  const lands = (): void => void landed.add('all');
  return {
    db,
    clock,
    of,
    user,
    wallet,
    vault,
    log,
    program,
    signed,
    requestOf,
    store,
    trades,
    signs,
    lands,
    beat,
  };
}
