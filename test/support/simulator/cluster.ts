import { type Address, type ChainAccount, MINT_BYTES, SYSTEM_PROGRAM } from '@tradepost/solana';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Chain, LandedTransaction, SignatureStatus } from '../../../src/platform/ports/chain.ts';
import type { BlockhashTaker } from '../../../src/platform/ports/chain-witness.ts';
import { rentExemption } from '../rent.ts';
import { CALM, type FaultLevels } from './fault-levels.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';
import { heightOfHash, readSigned, type Wire, wireOf } from './wire.ts';

export const SLOT_MS = 400;
export const WINDOW = 150n;
const CONFIRM_MS = 800;
const FINAL_MS = 13_000;
const FINAL_SLOTS = 32n;
const BASE_FEE = 5_000n;
/** Source of truth: spl-token `Mint`. */
const SUPPLY_AT = 36;
const SLIPPED = '{"InstructionError":[3,{"Custom":6001}]}';
const SLIPPAGE_LOG = 'Program log: slippage tolerance exceeded';

export type Landing = {
  readonly signature: string;
  readonly memo: string;
  readonly at: number;
  readonly slot: bigint;
  readonly err: string | null;
  readonly changes: LandedTransaction['balances'];
  readonly tokens: LandedTransaction['tokenBalances'];
};

export type ClusterEvents = {
  /** Token accounts that a transaction changes: the cluster moves lamports alone. */
  readonly tokensOf: (memo: string, payer: Address) => LandedTransaction['tokenBalances'];
  /** Bytes reached a node; called before anything is done with them. */
  readonly onWire: (signature: string, wire: Wire, height: bigint) => void;
  readonly onLanded: (landing: Landing) => void;
  /** The fork that held it died: it may land again. */
  readonly onTakenBack: (landing: Landing) => void;
};

/**
 * A cluster that moves lamports on virtual time: 151-block window, levels by age, one execution per signature, and every
 * way in which a network may lie about it. `setFaults(CALM)` makes it tell the truth from then on; bytes that are already
 * under way still land late.
 */
export function createCluster(timeline: Timeline, random: Random, endpoints: number, events: ClusterEvents) {
  const balances = new Map<Address, bigint>();
  const landings = new Map<string, Landing>();
  /** How often a mint's supply was made: a second time is other people's money. */
  const fills = new Map<Address, number>();
  /** Signatures that seem to be in a block of a fork that will die. */
  const forks = new Map<string, { readonly until: number; readonly level: 'processed' | 'confirmed' }>();
  /** Accounts whose trades fail by price. */
  const venues = new Set<Address>();
  /** Signatures that a lone endpoint has lied about. */
  const lied = new Set<string>();
  let faults: FaultLevels = CALM;

  const height = (): bigint => 1_000n + BigInt(Math.floor(timeline.elapsed() / SLOT_MS));
  const bornAt = (wire: Wire): bigint => heightOfHash(wire.blockhash);
  const outage = (): void => {
    if (random.chance(faults.unreachable))
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'sim', cause: 'outage' });
  };
  const accountOf = (at: Address, changes?: ReadonlyMap<Address, bigint>): ChainAccount | null => {
    const lamports = changes?.get(at) ?? balances.get(at) ?? 0n;
    return lamports === 0n
      ? null
      : { lamports, owner: SYSTEM_PROGRAM, data: mintData(fills.get(at)), executable: false };
  };

  function run(wire: Wire): { readonly err: string | null; readonly after: ReadonlyMap<Address, bigint> } {
    const after = new Map<Address, bigint>();
    const get = (at: Address): bigint => after.get(at) ?? balances.get(at) ?? 0n;
    after.set(wire.payer, get(wire.payer) - BASE_FEE);
    if (get(wire.payer) < 0n) return { err: '"InsufficientFundsForFee"', after: new Map() };
    for (const [from, to, amount] of wire.moves) {
      const lamports = BigInt(amount);
      if (get(from) < lamports) {
        const paid = (balances.get(wire.payer) ?? 0n) - BASE_FEE;
        return { err: '{"InstructionError":[3,{"Custom":1}]}', after: new Map([[wire.payer, paid]]) };
      }
      after.set(from, get(from) - lamports);
      after.set(to, get(to) + lamports);
    }
    return { err: null, after };
  }

  function land(signature: string, wire: Wire): void {
    if (landings.has(signature) || height() > bornAt(wire) + WINDOW) return;
    const isTrade = wire.moves.some(([from, to]) => venues.has(to) || venues.has(from));
    const moved = isTrade && random.chance(faults.priceMoves);
    const { err, after } = moved
      ? {
          err: SLIPPED,
          after: new Map([[wire.payer, (balances.get(wire.payer) ?? 0n) - BASE_FEE]]),
        }
      : run(wire);
    // A payer that cannot pay the fee never gets into a block.
    if (after.size === 0) return;
    const changes = [...after].map(([address, lamports]) => ({
      address,
      before: balances.get(address) ?? 0n,
      after: lamports,
    }));
    for (const { address, after: lamports } of changes) balances.set(address, lamports);
    if (err === null) {
      for (const mint of wire.mints) fills.set(mint, 0);
      for (const mint of wire.fills) fills.set(mint, (fills.get(mint) ?? 0) + 1);
    }
    const tokens = err === null ? events.tokensOf(wire.memo, wire.payer) : [];
    const landing = { signature, memo: wire.memo, at: timeline.now(), slot: height(), err, changes, tokens };
    landings.set(signature, landing);
    events.onLanded(landing);
    if (random.chance(faults.takeBack)) {
      timeline.after(random.between(500, FINAL_MS - 1_000), () => takeBack(landing, wire));
    }
  }

  /** Everybody saw it, most of them as confirmed, and it did not happen. */
  function takeBack(landing: Landing, wire: Wire): void {
    landings.delete(landing.signature);
    for (const { address, before, after } of landing.changes) {
      balances.set(address, (balances.get(address) ?? 0n) + before - after);
    }
    if (landing.err === null) {
      for (const mint of wire.fills) fills.set(mint, (fills.get(mint) ?? 0) - 1);
      for (const mint of wire.mints) fills.delete(mint);
    }
    events.onTakenBack(landing);
  }

  function statusOf(signature: string): SignatureStatus | null {
    const found = landings.get(signature);
    if (found !== undefined) {
      const age = timeline.now() - found.at;
      const level = age >= FINAL_MS ? 'finalized' : age >= CONFIRM_MS ? 'confirmed' : 'processed';
      return { slot: found.slot, level, err: found.err };
    }
    const fork = forks.get(signature);
    return fork === undefined || fork.until <= timeline.now()
      ? null
      : { slot: height(), level: fork.level, err: null };
  }

  /**
   * What an endpoint says. The first of several lies whenever it likes, of anything. A lone one tells one lie about a signature and
   * never denies what it knows: nobody could find out otherwise.
   */
  function answered(signature: string, endpoint: number): SignatureStatus | null {
    const honest = statusOf(signature);
    if (endpoint !== 0 || !random.chance(faults.lie)) return honest;
    if (endpoints === 1 && lied.has(signature)) return honest;
    lied.add(signature);
    if (endpoints > 1 && honest !== null && random.chance(0.5)) return null;
    const isError = honest === null ? random.chance(0.5) : honest.err === null;
    const level = random.chance(0.7) ? 'finalized' : 'confirmed';
    return { slot: honest?.slot ?? height(), level, err: isError ? SLIPPED : null };
  }

  /** The liar's record fits its lie half of the time. */
  function recordOf(
    signature: string,
    endpoint: number,
    said: SignatureStatus | null,
  ): LandedTransaction | null {
    const found = landings.get(signature);
    if (found === undefined || timeline.now() - found.at < CONFIRM_MS || random.chance(faults.lag))
      return null;
    const [payer] = found.changes;
    const isForged = endpoint === 0 && said !== null && said.err !== found.err && random.chance(0.5);
    const told =
      !isForged || payer === undefined
        ? found
        : said.err === null
          ? { ...found, err: null }
          : { ...found, err: said.err, changes: [{ ...payer, after: payer.before - BASE_FEE }], tokens: [] };
    return {
      signature,
      slot: found.slot,
      blockTime: Math.floor(found.at / 1_000),
      err: told.err,
      feeLamports: BASE_FEE,
      logs: told.err?.includes('6001') === true ? [SLIPPAGE_LOG] : [],
      balances: told.changes,
      tokenBalances: told.tokens,
      signatureCount: 1,
    };
  }

  const lagging = (most: number): bigint =>
    random.chance(faults.lag) ? BigInt(random.between(1, most)) : 0n;
  const absent = (name: string) => () => Promise.reject(new Error(`the simulated cluster has no ${name}`));
  const chain: Chain = {
    takesVersion1: async () => false,
    slotMs: () => 400,
    balance: async (at) => {
      outage();
      return (balances.get(at) ?? 0n) as never;
    },
    accounts: async (addresses) => {
      outage();
      return { slot: height(), accounts: addresses.map((at) => accountOf(at)) };
    },
    holdings: absent('holdings'),
    holding: absent('holding'),
    token: absent('token'),
    rentExemption,
    epoch: absent('epoch'),
    genesisHash: absent('genesisHash'),
    priorityPrice: async () => 0n,
    latestBlockhash: async () => {
      outage();
      const behind = random.chance(faults.lag) ? BigInt(random.between(1, 200)) : 2n;
      const born = height() > behind ? height() - behind : 0n;
      return { blockhash: `hash-${born}`, lastValidBlockHeight: born + WINDOW, slot: born, livesMs: 60_000 };
    },
    agedBlockhash: async () => {
      outage();
      // Heard half a life ago, or from a node that was behind then.
      const behind = WINDOW / 2n + lagging(100);
      const born = height() > behind ? height() - behind : 0n;
      return { blockhash: `hash-${born}`, lastValidBlockHeight: born + WINDOW, slot: born, livesMs: 30_000 };
    },
    simulate: async (message, watch) => {
      outage();
      const wire = wireOf(message);
      const stale = random.chance(faults.lag / 2) || height() > bornAt(wire) + WINDOW;
      const { err, after } = run(wire);
      return {
        err: stale ? '"BlockhashNotFound"' : err,
        logs: [],
        unitsConsumed: 10_000,
        loadedBytes: null,
        after: watch.map((at) => accountOf(at, after)),
        slot: height(),
      };
    },
    send: async (bytes) => {
      outage();
      const { signature, wire } = readSigned(bytes);
      events.onWire(signature, wire, height());
      const lost = random.chance(faults.loseAnswer);
      if (random.chance(faults.dropSend))
        return lost ? { kind: 'unknown', cause: 'lost' } : { kind: 'accepted' };
      if (landings.has(signature))
        return lost ? { kind: 'unknown', cause: 'lost' } : { kind: 'already-processed' };
      const last = bornAt(wire) + WINDOW;
      if (height() > last || random.chance(faults.lag / 2)) {
        return { kind: 'refused', err: '"BlockhashNotFound"', logs: [] };
      }
      if (random.chance(faults.fork)) {
        const level = random.chance(0.2) ? 'confirmed' : 'processed';
        forks.set(signature, { until: timeline.now() + random.between(400, 8_000), level });
      } else if (random.chance(faults.landLate)) {
        // Half of the late ones come in the last block that may hold them.
        const slots = random.chance(0.5)
          ? Number(last - height())
          : random.between(1, Number(last - height()) + 1);
        timeline.after(slots * SLOT_MS, () => land(signature, wire));
      } else {
        land(signature, wire);
        if (random.chance(0.1)) land(signature, wire);
      }
      return lost ? { kind: 'unknown', cause: 'lost' } : { kind: 'accepted' };
    },
    statuses: async (signatures) => {
      outage();
      const behind = random.chance(faults.lag);
      const endpoint = random.between(0, endpoints - 1);
      return signatures.map((signature) => (behind ? null : answered(signature, endpoint)));
    },
    probe: async (signature, round) => {
      outage();
      const old = (): bigint => (random.chance(faults.lag) ? BigInt(random.between(1, 200)) : 0n);
      const finalized = height() - FINAL_SLOTS - old();
      const statusLag = old();
      const statusSlot = height() - statusLag;
      const status = answered(signature, round % endpoints);
      // An answer made at that slot knows everything that landed by then and nothing later.
      const firstAvailableBlock = random.chance(faults.pruned)
        ? statusSlot - BigInt(random.between(1, 60))
        : 0n;
      const known = status !== null && status.slot <= statusSlot && status.slot >= firstAvailableBlock;
      return {
        endpoint: `endpoint-${round % endpoints}`,
        endpoints,
        finalizedHeight: finalized,
        finalizedSlot: finalized,
        status: known ? status : null,
        statusSlot,
        firstAvailableBlock,
      };
    },
    secondWord: async () => null,
    testimony: async (signature, round) => {
      outage();
      const endpoint = round % endpoints;
      const behind = random.chance(faults.lag);
      const status = behind ? null : answered(signature, endpoint);
      return {
        endpoint: `endpoint-${endpoint}`,
        endpoints,
        status,
        transaction: status === null ? null : recordOf(signature, endpoint, status),
      };
    },
    landed: async (signature) => {
      outage();
      return recordOf(signature, random.between(0, endpoints - 1), null);
    },
  };
  /** What each endpoint says of a blockhash. The first of several lies; all may be behind, and a lone one only that. */
  const blockhashes = {
    takers: async (blockhash: string): Promise<readonly BlockhashTaker[]> => {
      const born = heightOfHash(blockhash);
      return Array.from({ length: endpoints }, (_, index): BlockhashTaker | null => {
        if (random.chance(faults.unreachable)) return null;
        const slot = height() - lagging(200);
        const endpoint = `endpoint-${index}`;
        if (index === 0 && endpoints > 1 && random.chance(faults.lie)) return { endpoint, slot: 0n };
        return born <= slot && slot <= born + WINDOW ? { endpoint, slot } : null;
      }).filter((one) => one !== null);
    },
    goneAt: async (blockhash: string, round: number): Promise<bigint | null> => {
      if (random.chance(faults.unreachable)) return null;
      const born = heightOfHash(blockhash);
      const slot = height() - FINAL_SLOTS - lagging(200);
      if (round % endpoints === 0 && endpoints > 1 && random.chance(faults.lie)) return height();
      return born <= slot && slot <= born + WINDOW ? null : slot;
    },
  };
  return {
    chain,
    blockhashes,
    balances,
    landings,
    venues,
    fills,
    height,
    setFaults: (levels: FaultLevels): void => {
      faults = levels;
    },
  };
}

/** A mint as far as the engine reads one: its supply. */
function mintData(supply: number | undefined): Uint8Array {
  if (supply === undefined) return new Uint8Array();
  const data = new Uint8Array(MINT_BYTES);
  data[SUPPLY_AT] = supply;
  return data;
}

export type Cluster = ReturnType<typeof createCluster>;
