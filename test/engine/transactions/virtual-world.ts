import { createHash } from 'node:crypto';
import { type Address, type ChainAccount, SYSTEM_PROGRAM, toBase58 } from '@tradepost/solana';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { createCloseAccountsPlan } from '../../../src/engine/intents/kinds/close-accounts/plan.ts';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import { createPayoutPlan } from '../../../src/engine/intents/kinds/payout/plan.ts';
import { createWithdrawSolPlan } from '../../../src/engine/intents/kinds/withdraw-sol/plan.ts';
import { createWithdrawTokenPlan } from '../../../src/engine/intents/kinds/withdraw-token/plan.ts';
import { PACE } from '../../../src/engine/intents/rules/pace.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import type {
  Chain,
  LandedTransaction,
  MessageCompiler,
  SignatureStatus,
} from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { NO_MINT_PLANS } from '../../support/mint-plans.ts';
import { rentExemption } from '../../support/rent.ts';

const SLOT_MS = 400;
const WINDOW = 150n;
const CONFIRM_MS = 800;
const FINAL_MS = 13_000;
const FEE = 5_000n;
const LIAR = 'endpoint-0';
const SLIPPED = '{"InstructionError":[3,{"Custom":6001}]}';

type Changes = LandedTransaction['balances'];
type Landed = {
  readonly at: number;
  readonly slot: bigint;
  readonly err: string | null;
  readonly changes: Changes;
};

/** How the first endpoint lies. Its status alone may be false, or its record as well. */
export type Lie =
  | { readonly claim: 'error' | 'success'; readonly forged: boolean; readonly times?: number }
  | { readonly claim: 'absence' | 'another network'; readonly times?: never };
type Wire = {
  readonly memo: string;
  readonly blockhash: string;
  readonly moves: readonly (readonly [Address, Address, string])[];
};

/**
 * A cluster on a virtual clock that knows SOL transfers: 151-block window, levels by age, one execution per signature.
 * Methods that no test here needs throw their own name.
 */
export function virtualWorld(options: { readonly endpoints?: number } = {}) {
  const clock = fakeClock();
  const start = clock.now();
  const balances = new Map<Address, bigint>();
  const landed = new Map<string, Landed>();
  /** Landed signatures per intent id, in order. */
  const byMemo = new Map<string, string[]>();
  const faults = {
    drop: false,
    loseAnswer: false,
    failWith: null as string | null,
    hideStatus: false,
    lie: null as Lie | null,
    down: null as string | null,
  };
  const endpoints = options.endpoints ?? 2;
  let lies = 0;
  const heightAt = (now: number): bigint => 1_000n + BigInt(Math.floor((now - start) / SLOT_MS));
  const accountOf = (at: Address, changes?: ReadonlyMap<Address, bigint>): ChainAccount | null => {
    const lamports = changes?.get(at) ?? balances.get(at) ?? 0n;
    return lamports === 0n
      ? null
      : { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  };
  const unset = (name: string) => () => Promise.reject(new Error(`virtual chain: ${name} is not set up`));

  function execute(
    { moves }: Wire,
    payer: Address,
  ): { readonly err: string | null; readonly after: Map<Address, bigint> } {
    const after = new Map<Address, bigint>();
    const get = (at: Address): bigint => after.get(at) ?? balances.get(at) ?? 0n;
    after.set(payer, get(payer) - FEE);
    if (get(payer) < 0n) return { err: '"InsufficientFundsForFee"', after: new Map() };
    for (const [from, to, lamports] of moves) {
      if (get(from) < BigInt(lamports)) {
        return {
          err: '{"InstructionError":[3,{"Custom":1}]}',
          after: new Map([[payer, (balances.get(payer) ?? 0n) - FEE]]),
        };
      }
      after.set(from, get(from) - BigInt(lamports));
      after.set(to, get(to) + BigInt(lamports));
    }
    return { err: null, after };
  }

  const statusOf = (signature: string): SignatureStatus | null => {
    const found = landed.get(signature);
    if (found === undefined || faults.hideStatus) return null;
    const age = clock.now() - found.at;
    const level = age >= FINAL_MS ? 'finalized' : age >= CONFIRM_MS ? 'confirmed' : 'processed';
    return { slot: found.slot, level, err: found.err };
  };

  /** The endpoint of this round; what one of another network says is not heard, as the adapter sees to it. */
  function named(round: number): string {
    const endpoint = `endpoint-${round % endpoints}`;
    const byAggregator = endpoint === LIAR && faults.lie?.claim === 'another network';
    if (byAggregator || faults.down === endpoint) {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint, cause: 'not heard' });
    }
    return endpoint;
  }

  function liedStatus(signature: string): SignatureStatus | null {
    const { lie } = faults;
    const honest = statusOf(signature);
    if (lie === null || faults.hideStatus) return honest;
    if (lie.claim === 'absence' || lie.claim === 'another network') return null;
    const isLate = lie.claim === 'error' && honest?.level !== 'finalized';
    if (isLate || lies >= (lie.times ?? Number.POSITIVE_INFINITY)) return honest;
    lies += 1;
    return {
      slot: honest?.slot ?? heightAt(clock.now()),
      level: 'finalized',
      err: lie.claim === 'error' ? SLIPPED : null,
    };
  }

  function recordOf(signature: string, byLiar: boolean): LandedTransaction | null {
    const found = landed.get(signature);
    if (found === undefined || faults.hideStatus) return null;
    const { lie } = faults;
    const forges = byLiar && lie !== null && 'forged' in lie && lie.forged;
    const [payer] = found.changes;
    const forged =
      !forges || payer === undefined
        ? found
        : lie.claim === 'error'
          ? { ...found, err: SLIPPED, changes: [{ ...payer, after: payer.before - FEE }] }
          : { ...found, err: null };
    return {
      signature,
      slot: found.slot,
      blockTime: Math.floor(found.at / 1_000),
      err: forged.err,
      feeLamports: FEE,
      logs: forged.err === SLIPPED ? ['Program log: slippage'] : [],
      balances: forged.changes,
      tokenBalances: [],
      signatureCount: 1,
    };
  }

  const chain: Chain = {
    takesVersion1: async () => false,
    slotMs: () => 400,
    balance: async (at) => (balances.get(at) ?? 0n) as never,
    accounts: async (addresses) => ({
      slot: heightAt(clock.now()),
      accounts: addresses.map((at) => accountOf(at)),
    }),
    holdings: unset('holdings'),
    holding: unset('holding'),
    token: unset('token'),
    rentExemption,
    epoch: unset('epoch'),
    genesisHash: unset('genesisHash'),
    latestBlockhash: async () => {
      const height = heightAt(clock.now());
      return {
        blockhash: `hash-${height}`,
        lastValidBlockHeight: height + WINDOW,
        slot: height,
        livesMs: 60_000,
      };
    },
    agedBlockhash: async () => {
      const height = heightAt(clock.now()) - WINDOW / 2n;
      return {
        blockhash: `hash-${height}`,
        lastValidBlockHeight: height + WINDOW,
        slot: height,
        livesMs: 30_000,
      };
    },
    priorityPrice: async () => 0n,
    simulate: async (message, watch) => {
      const { err, after } = execute(wireOf(message), watch[0] as Address);
      return {
        err,
        logs: [],
        unitsConsumed: 10_000,
        loadedBytes: null,
        after: watch.map((at) => accountOf(at, after)),
        slot: heightAt(clock.now()),
      };
    },
    send: async (bytes) => {
      if (faults.drop) return { kind: 'unknown', cause: 'dropped' };
      const signature = toBase58(bytes.subarray(1, 65));
      const wire = wireOf(bytes.subarray(65));
      if (landed.has(signature)) return { kind: 'already-processed' };
      const born = BigInt(wire.blockhash.slice('hash-'.length));
      const slot = heightAt(clock.now());
      if (slot > born + WINDOW) return { kind: 'refused', err: '"BlockhashNotFound"', logs: [] };
      const payer = wire.moves[0]?.[0];
      if (payer === undefined) throw new Error('nothing is moved');
      const { err, after } =
        faults.failWith === null
          ? execute(wire, payer)
          : { err: faults.failWith, after: new Map([[payer, (balances.get(payer) ?? 0n) - FEE]]) };
      const changes = [...after].map(([address, lamports]) => ({
        address,
        before: balances.get(address) ?? 0n,
        after: lamports,
      }));
      for (const [at, lamports] of after) balances.set(at, lamports);
      landed.set(signature, { at: clock.now(), slot, err, changes });
      byMemo.set(wire.memo, [...(byMemo.get(wire.memo) ?? []), signature]);
      return faults.loseAnswer ? { kind: 'unknown', cause: 'lost' } : { kind: 'accepted' };
    },
    // The liar is always the first to answer.
    statuses: async (signatures) => signatures.map((signature) => liedStatus(signature)),
    probe: async (signature, round) => {
      const finalized = heightAt(clock.now()) - 32n;
      const endpoint = named(round);
      return {
        endpoint,
        endpoints,
        finalizedHeight: finalized,
        finalizedSlot: finalized,
        status: endpoint === LIAR ? liedStatus(signature) : statusOf(signature),
        statusSlot: finalized,
        firstAvailableBlock: 0n,
      };
    },
    secondWord: async () => null,
    testimony: async (signature, round) => {
      const endpoint = named(round);
      const isLiar = endpoint === LIAR;
      const status = isLiar ? liedStatus(signature) : statusOf(signature);
      const transaction = status === null ? null : recordOf(signature, isLiar);
      return { endpoint, endpoints, status, transaction };
    },
    landed: async (signature) => recordOf(signature, true),
  };
  return { clock, chain, balances, landed, byMemo, faults };
}

export type VirtualWorld = ReturnType<typeof virtualWorld>;

/** Messages as JSON of what the virtual cluster understands. */
const virtualCompiler: MessageCompiler = {
  compile({ payer, instructions, blockhash }) {
    const memo = instructions.find((one) => one.accounts.length === 0 && one.data.length === 26);
    const wire: Wire = {
      memo: new TextDecoder().decode(memo?.data),
      blockhash,
      moves: instructions
        .filter((one) => one.programId === SYSTEM_PROGRAM)
        .map((one) => [
          one.accounts[0]?.address as Address,
          one.accounts[1]?.address as Address,
          new DataView(one.data.buffer, one.data.byteOffset).getBigUint64(4, true).toString(),
        ]),
    };
    return {
      bytes: new TextEncoder().encode(JSON.stringify(wire)),
      signers: [payer],
      writable: [],
      version: 0,
      dropped: 0,
    };
  },
  assemble(message, signatures) {
    const [signature] = [...signatures.values()];
    return Buffer.concat([Buffer.from([1]), signature ?? new Uint8Array(64), message.bytes]);
  },
};

function wireOf(message: Uint8Array): Wire {
  return JSON.parse(new TextDecoder().decode(message)) as Wire;
}

/** The engine's dependencies over the virtual world. A signature is a hash of its message: equal bytes, equal signature. */
export function virtualDeps(
  world: VirtualWorld,
  db: Database,
  overrides: Partial<TransactionDeps> = {},
): TransactionDeps {
  const programs = createPrograms();
  const { chain, clock } = world;
  return {
    db,
    chain,
    compiler: virtualCompiler,
    programs,
    vault: { sign: async ({ message }) => createHash('sha512').update(message).digest() },
    clock,
    ids: fakeIds(),
    plans: {
      'withdraw-sol': createWithdrawSolPlan({ chain, programs }),
      'withdraw-token': createWithdrawTokenPlan({ chain, programs }),
      payout: createPayoutPlan({ chain, programs }),
      buy: () => Promise.reject(new Error('no trades here')),
      sell: () => Promise.reject(new Error('no trades here')),
      'close-accounts': createCloseAccountsPlan({ programs }),
      ...NO_MINT_PLANS,
    },
    treasury: {
      id: 'treasury',
      userId: null,
      name: 'Treasury',
      address: TREASURY_ADDRESS,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    fees: feesOf(),
    settlements: SETTLEMENTS,
    relay: { run: async () => 0, nudge: () => undefined },
    log: { info: () => undefined, warn: () => undefined },
    pause: async (ms) => clock.advance(ms),
    owner: 'worker-1',
    // Coarse, so that a test that kills at every call has few of them.
    pace: { ...PACE, observe: [[Number.POSITIVE_INFINITY, 2_500]], untilFinalMs: 7_000 },
    ...overrides,
  };
}

const TREASURY_ADDRESS = toBase58(new Uint8Array(32).fill(2)) as Address;
