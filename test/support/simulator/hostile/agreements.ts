import { type Address, WSOL_MINT } from '@tradepost/solana';
import { feesOf } from '../../../../src/engine/fees/rules/fee-table.ts';
import type { IntentParams } from '../../../../src/engine/intents/kinds/params.ts';
import type { ConfirmedIntent } from '../../../../src/engine/intents/rules/confirmation.ts';
import { inviterShare } from '../../../../src/engine/ledger/rules/postings.ts';
import {
  decodeInstruction,
  type WalletAction,
} from '../../../../src/engine/signing/rules/decode-instruction.ts';
import { decodeMessage } from '../../../../src/engine/signing/rules/decode-message.ts';
import type { OrderFacts } from '../../../../src/modules/orders/rules/order-facts.ts';
import { createPrograms } from '../../../../src/platform/chain/programs.ts';
import { type Landing, WINDOW } from '../cluster.ts';
import { TREASURY, VENUE } from '../plans.ts';
import { heightOfHash, wireOf } from '../wire.ts';

/** How long after its block an error is beyond doubt. */
const FINAL_MS = 13_000;
const programs = createPrograms();

type Person = { readonly userId: string; readonly wallet: Address; readonly isInvited: boolean };
type Agreed = { readonly payer: Address; readonly params: IntentParams };
type Signed = { readonly intentId: string; readonly signature: string; readonly lastHeight: bigint };
/** What may leave a wallet: lamports by receiver, and units of tokens by the account that gets them. */
type Allowed = {
  readonly lamports: ReadonlyMap<Address, bigint>;
  readonly units: ReadonlyMap<Address, bigint>;
  /** Beside those, to whomever it may be: a trade is judged by what it gives and brings. */
  readonly anywhere: { readonly lamports: bigint; readonly units: bigint };
  /** The least of the bought token, or of lamports, that must arrive. */
  readonly least: { readonly units: bigint; readonly lamports: bigint };
  /** Instructions of other programs, which make or end a token. */
  readonly makesToken: boolean;
};

/**
 * The judge of hostile runs. It writes down what people confirm at the moment when they do, and reads each message that the signer signs, and each
 * that lands. It reads no row and asks no rule of the product: it adds the moves of the bytes up.
 */
export function createAgreements(run: {
  readonly now: () => number;
  readonly height: () => bigint;
  readonly say: (text: string) => void;
  /** The most that people may be paid beyond what landed trades prove, and the most that one person may withdraw. Lamports. */
  readonly mostUnproved: bigint;
  readonly mostWithdrawn: bigint;
  /** An address that has not waited when the run is over. */
  readonly unwaited: Address;
}) {
  const { say } = run;
  const people = new Map<string, Person>();
  const agreed = new Map<string, Agreed>();
  const orders = new Map<string, OrderFacts>();
  const signed: Signed[] = [];
  const bySignature = new Map<string, { readonly intentId: string; readonly message: Uint8Array }>();
  const landed = new Map<string, Landing>();

  const wallets = (): ReadonlySet<Address> =>
    new Set([TREASURY, ...[...people.values()].map((one) => one.wallet)]);

  /** The second half of a creation follows from the first, and from nothing else. */
  function secondHalfOf(payer: Address): Agreed | null {
    for (const one of agreed.values())
      if (one.payer === payer && one.params.kind === 'prepare-token')
        return { payer, params: one.params.creation };
    return null;
  }

  function judge(intentId: string, message: Uint8Array, what: string): void {
    const { signers, instructions } = decodeMessage(message);
    const actions = instructions.map(decodeInstruction);
    const wire = wireOf(message);
    const [payer] = signers;
    if (payer === undefined) {
      say(`${what}: ${intentId} has no payer`);
      return;
    }
    if (wire.memo !== intentId) say(`${what}: the message of ${intentId} names ${wire.memo}`);
    const net = netOf(wire.moves);
    if (payer === TREASURY) {
      judgePayout(intentId, net, actions, what);
      return;
    }
    const agreement = agreed.get(intentId) ?? secondHalfOf(payer);
    if (agreement === null) {
      say(`${what}: no person confirmed ${intentId}`);
      return;
    }
    if (agreement.payer !== payer)
      say(`${what}: ${intentId} takes from ${payer}, and its person has ${agreement.payer}`);
    const allowed = allowedBy(agreement, signers);
    let free = allowed.anywhere.lamports;
    for (const [address, lamports] of net) {
      if (address === payer) continue;
      if (address === run.unwaited) say(`${what}: ${intentId} pays an address that has not waited`);
      const beyond = lamports - (allowed.lamports.get(address) ?? 0n);
      if (beyond > 0n && address !== TREASURY) free -= beyond;
      if (free < 0n || (beyond > 0n && address === TREASURY))
        say(`${what}: ${intentId} brings ${lamports} lamports to ${address}`);
      if (lamports < 0n && wallets().has(address)) say(`${what}: ${intentId} takes from ${address}`);
    }
    judgeTokens(intentId, actions, { payer, allowed }, what);
    const isWithdrawal = agreement.params.kind === 'withdraw-sol';
    if (isWithdrawal && -(net.get(payer) ?? 0n) !== allowed.lamports.values().next().value)
      say(`${what}: ${intentId} pays another amount than was confirmed`);
    if (allowed.least.lamports > 0n && (net.get(payer) ?? 0n) < allowed.least.lamports)
      say(`${what}: the sale ${intentId} brings ${net.get(payer) ?? 0n} of ${allowed.least.lamports}`);
  }

  function judgePayout(
    intentId: string,
    net: ReadonlyMap<Address, bigint>,
    actions: readonly WalletAction[],
    what: string,
  ): void {
    const known = wallets();
    for (const [address, lamports] of net)
      if (lamports > 0n && !known.has(address))
        say(`${what}: the payout ${intentId} pays the stranger ${address}`);
    if (actions.some(({ kind }) => kind !== 'memo' && kind !== 'transfer-sol' && !kind.startsWith('compute')))
      say(`${what}: the payout ${intentId} does more than pay`);
  }

  function judgeTokens(
    intentId: string,
    actions: readonly WalletAction[],
    { payer, allowed }: { readonly payer: Address; readonly allowed: Allowed },
    what: string,
  ): void {
    const given = new Map<Address, bigint>();
    let bought = 0n;
    for (const action of actions) {
      const isOther =
        action.kind === 'forbidden' || action.kind === 'foreign' || action.kind === 'router-call';
      if (isOther && !allowed.makesToken)
        say(`${what}: ${intentId} calls ${action.kind} ${action.programId}`);
      if (action.kind === 'withdraw-excess') say(`${what}: ${intentId} empties ${action.account}`);
      if (action.kind === 'close-token-account' && action.destination !== payer)
        say(`${what}: ${intentId} closes ${action.account} to ${action.destination}`);
      if (action.kind !== 'transfer-token' || action.mint === WSOL_MINT) continue;
      if (action.authority === payer)
        given.set(action.destination, (given.get(action.destination) ?? 0n) + action.amount);
      else bought += action.amount;
    }
    let free = allowed.anywhere.units;
    for (const [account, units] of given) {
      const beyond = units - (allowed.units.get(account) ?? 0n);
      if (beyond > 0n) free -= beyond;
      if (free < 0n) say(`${what}: ${intentId} sends ${units} units to ${account}`);
    }
    if (bought < allowed.least.units) say(`${what}: the purchase ${intentId} brings ${bought} units`);
  }

  /** A fire: by the facts of the order that its person placed. */
  function judgeFire({ id, userId, params }: ConfirmedIntent): void {
    const order = 'order' in params && params.order !== undefined ? orders.get(params.order.id) : undefined;
    if (order === undefined || (params.kind !== 'buy' && params.kind !== 'sell')) {
      say(`confirmed: the fire ${id} is of no order that was placed`);
      return;
    }
    const { terms } = params;
    const units = terms.amountIn;
    if (userId !== order.userId)
      say(`confirmed: the fire ${id} is of ${userId}, the order of ${order.userId}`);
    if (params.kind !== order.side || params.mint !== order.mint)
      say(`confirmed: the fire ${id} is a ${params.kind} of ${params.mint}`);
    if (order.amount.kind === 'fixed' && units > order.amount.units)
      say(`confirmed: the fire ${id} gives ${units} of ${order.amount.units}`);
    const bound = order.type === 'LIMIT' || order.type === 'TAKE_PROFIT' ? order.trigger : order.terms.floor;
    // `got` per `given`, agreed for the person.
    if (bound !== null && terms.minOut * bound.given < bound.got * units)
      say(`confirmed: the fire ${id} may bring ${terms.minOut} for ${units}`);
  }

  return {
    /** A person of the run with the wallet that is theirs. */
    onPerson: (person: Person): void => void people.set(person.userId, person),
    /** A person confirmed exactly this, now. */
    onConfirmed({ id, userId, params }: ConfirmedIntent): void {
      const person = people.get(userId);
      if (person === undefined) {
        say(`confirmed: ${id} is of the stranger ${userId}`);
        return;
      }
      agreed.set(id, { payer: person.wallet, params: structuredClone(params) });
    },
    onPlaced(placed: readonly OrderFacts[]): void {
      for (const order of placed) orders.set(order.id, structuredClone(order));
    },
    /** The signer confirmed a fire. */
    onFire(request: ConfirmedIntent): void {
      judgeFire(request);
      const person = people.get(request.userId);
      if (person !== undefined)
        agreed.set(request.id, { payer: person.wallet, params: structuredClone(request.params) });
    },
    /** The signer gave a signature. */
    onSigned(intentId: string, message: Uint8Array, signature: string): void {
      if (bySignature.has(signature)) return;
      judge(intentId, message, 'signed');
      bySignature.set(signature, { intentId, message });
      const lastHeight = heightOfHash(wireOf(message).blockhash) + WINDOW;
      const height = run.height();
      for (const other of signed) {
        const end = landed.get(other.signature);
        const isSpent = end !== undefined && end.err !== null && run.now() - end.at >= FINAL_MS;
        if (other.intentId !== intentId || isSpent || other.lastHeight < height || lastHeight < height)
          continue;
        say(`signed: ${intentId} at ${height} while ${other.signature} lives until ${other.lastHeight}`);
      }
      signed.push({ intentId, signature, lastHeight });
    },
    onLanded(landing: Landing): void {
      landed.set(landing.signature, landing);
      if (!bySignature.has(landing.signature)) say(`landed: ${landing.signature} was never signed`);
    },
    onTakenBack: (landing: Landing): void => void landed.delete(landing.signature),
    /** The sums of the whole run, when nothing runs any more. */
    checkSums(): void {
      const done = [...landed.values()].filter(({ err }) => err === null);
      const times = new Map<string, number>();
      for (const { memo } of done) times.set(memo, (times.get(memo) ?? 0) + 1);
      for (const [memo, count] of times) if (count > 1) say(`landed: ${memo} was carried out ${count} times`);
      checkPayouts(done);
      checkOrders(done);
      checkCaps(done);
    },
  };

  function checkPayouts(done: readonly Landing[]): void {
    let [paid, proved] = [0n, 0n];
    const invited = new Set([...people.values()].flatMap((one) => (one.isInvited ? [one.wallet] : [])));
    for (const { signature } of done) {
      const found = bySignature.get(signature);
      if (found === undefined) continue;
      const { payer, moves } = wireOf(found.message);
      const net = netOf(moves);
      if (payer === TREASURY) paid -= net.get(TREASURY) ?? 0n;
      else if (invited.has(payer))
        proved += inviterShare(net.get(TREASURY) ?? 0n, feesOf()(run.now()).referralShareBps);
    }
    if (paid > proved + run.mostUnproved) say(`payouts took ${paid}, and trades prove ${proved}`);
  }

  function checkOrders(done: readonly Landing[]): void {
    const given = new Map<string, bigint>();
    for (const { memo } of done) {
      const params = agreed.get(memo)?.params;
      if (params === undefined || !('order' in params) || params.order === undefined) continue;
      const { id } = params.order;
      given.set(id, (given.get(id) ?? 0n) + params.terms.amountIn);
    }
    for (const [id, units] of given) {
      const amount = orders.get(id)?.amount;
      if (amount?.kind === 'fixed' && units > amount.units)
        say(`the order ${id} gave ${units} of ${amount.units}`);
    }
  }

  function checkCaps(done: readonly Landing[]): void {
    const left = new Map<Address, bigint>();
    for (const { memo } of done) {
      const one = agreed.get(memo);
      if (one?.params.kind !== 'withdraw-sol') continue;
      left.set(one.payer, (left.get(one.payer) ?? 0n) + one.params.lamports);
    }
    for (const [wallet, lamports] of left)
      if (lamports > run.mostWithdrawn) say(`${lamports} left ${wallet} in a day of ${run.mostWithdrawn}`);
  }
}

export type Agreements = ReturnType<typeof createAgreements>;

/** What each account gained, in lamports. */
function netOf(moves: ReturnType<typeof wireOf>['moves']): ReadonlyMap<Address, bigint> {
  const net = new Map<Address, bigint>();
  for (const [from, to, lamports] of moves) {
    net.set(from, (net.get(from) ?? 0n) - BigInt(lamports));
    net.set(to, (net.get(to) ?? 0n) + BigInt(lamports));
  }
  return net;
}

const NOTHING: Allowed = {
  lamports: new Map(),
  units: new Map(),
  anywhere: { lamports: 0n, units: 0n },
  least: { units: 0n, lamports: 0n },
  makesToken: false,
};

/** What a message of this agreement may move. */
function allowedBy({ params }: Agreed, signers: readonly Address[]): Allowed {
  switch (params.kind) {
    case 'withdraw-sol':
      return { ...NOTHING, lamports: new Map([[params.destination, params.lamports]]) };
    case 'withdraw-token': {
      const { destination, mint, tokenProgram, amount } = params;
      return {
        ...NOTHING,
        units: new Map([[programs.associatedTokenAddress(destination, mint, tokenProgram), amount]]),
      };
    }
    case 'buy':
    case 'sell':
      return allowedByTrade(params);
    case 'create-token':
    case 'launch':
    case 'prepare-token':
      return allowedByCreation(params, signers);
    case 'revoke-authority':
      return { ...NOTHING, makesToken: true };
    case 'close-accounts':
    case 'payout':
      return NOTHING;
  }
}

function allowedByTrade(params: Extract<IntentParams, { kind: 'buy' | 'sell' }>): Allowed {
  const { platformFeeLamports: fee, minOut, amountIn } = params.terms;
  const isBuy = params.kind === 'buy';
  return {
    ...NOTHING,
    lamports: new Map([[TREASURY, fee]]),
    anywhere: isBuy ? { lamports: amountIn - fee, units: 0n } : { lamports: 0n, units: amountIn },
    least: isBuy ? { units: minOut, lamports: 0n } : { units: 0n, lamports: minOut },
  };
}

function allowedByCreation(
  params: Extract<IntentParams, { kind: 'create-token' | 'launch' | 'prepare-token' }>,
  signers: readonly Address[],
): Allowed {
  const [, mint] = signers;
  const creation = params.kind === 'prepare-token' ? params.creation : params;
  const rent = 'mintRentLamports' in creation ? creation.mintRentLamports : creation.costLamports;
  const bought = params.kind === 'launch' ? (params.firstBuy?.lamports ?? 0n) : 0n;
  return {
    ...NOTHING,
    lamports: new Map([
      [TREASURY, creation.feeLamports],
      [VENUE, bought],
      ...(mint === undefined ? [] : [[mint, rent] as const]),
    ]),
    makesToken: true,
  };
}
