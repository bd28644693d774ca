import type { Address } from '../address/address.ts';
import { WSOL_MINT } from '../address/programs.ts';
import type { LookupTable } from '../lookup-tables/lookup-table.ts';
import type { DecodedRouteCall } from '../swap/router-program/route-call.ts';
import type { WalletAction } from './decode-instruction.ts';
import { checkFee, deny, MAX_POOLS, RENT_ALLOWANCE, readMessage } from './policy.ts';
import { brokenRouterRule } from './router-rule.ts';
import { opensForWrapping, wrapsInto } from './wrapped-account.ts';

export type SwapPolicyContext = {
  /** Pays, signs and receives. */
  readonly user: Address;
  readonly mintIn: Address;
  readonly mintOut: Address;
  /** All that may leave the wallet of `mintIn`, the referrer's part included. */
  readonly amount: bigint;
  /** Tokens that the route passes through. */
  readonly middles: readonly Address[];
  /** What must reach the trader, the referrer's part taken off. */
  readonly minOut: bigint;
  /** Where the referrer's part goes; 0 units are not paid at all. */
  readonly referrer: {
    readonly account: Address;
    readonly side: 'in' | 'out';
    readonly units: bigint;
  } | null;
  /** Tables that the message may use, as they were read from the chain. */
  readonly lookupTables: readonly LookupTable[];
  /** Programs that this route may call: the venues', or the aggregators' when `isForeign`. */
  readonly programs: readonly Address[];
  /** True where a route of our own may go through the public router program. */
  readonly routerProgram?: boolean;
  /** True when an aggregator's router made the swap: then the message itself must prove what it brought. */
  readonly isForeign: boolean;
};

/**
 * The sibling of `assertPolicy` for a swap that somebody else will sign: there is no intent behind it, its referrer stands
 * where the treasury does, and both sides may be tokens. Deny by default: throws POLICY_DENIED with the rule unless every
 * instruction is one that exactly this swap needs. Whoever signs the answer of an API cannot read it, so a fault of our own
 * assembly, of a venue or of an aggregator must end here. What the venues' programs do with the accounts they are given is
 * bounded by the simulation and the minimum, not here. A call of the router program is read whole (`brokenRouterRule`) and
 * is the only call of its message.
 */
export function assertSwapPolicy(message: Uint8Array, context: SwapPolicyContext): void {
  const { user, mintIn, mintOut, amount, minOut, referrer, programs, isForeign } = context;
  const { signers, actions } = readMessage(message, context.lookupTables);
  // One key per pool of a split may co-sign; beside an aggregator's swap nobody has a reason to.
  if (signers[0] !== user || signers.length > 1 + (isForeign ? 0 : MAX_POOLS)) deny('signers');
  checkFee(actions, 'normal');

  const owed = referrer?.units ?? 0n;
  const paysSol = referrer?.side === 'in' || mintOut === WSOL_MINT;
  const feeIn = referrer?.side === 'in' ? owed : 0n;
  const feeOut = owed - feeIn;
  const middles = context.middles.filter((mint) => ![mintIn, mintOut, WSOL_MINT].includes(mint));
  const passing = new Map<Address, bigint>(middles.map((mint) => [mint, 0n]));
  const accounts = new Map<Address, Address>();
  const opened = new Set<Address>();
  const initialized = new Set<Address>();
  const closed = new Set<Address>();
  /** Where orders on a book pay into, until a check behind them says how much. */
  const unproved = new Set<Address>();
  const checks: Extract<WalletAction, { kind: 'transfer-token' }>[] = [];
  let paid = 0n;
  let funded = 0n;
  let spent = 0n;
  let received = 0n;
  let calls = 0;
  let takes = 0;
  let routed: DecodedRouteCall | null = null;

  for (const action of actions) {
    switch (action.kind) {
      case 'compute-limit':
      case 'compute-price':
        break;
      case 'transfer-sol':
        if (action.from !== user) deny('sol-source');
        if (referrer === null || !paysSol || action.to !== referrer.account) deny('sol-destination');
        paid += action.lamports;
        break;
      case 'create-seeded':
        if (!opensForWrapping(action, user)) deny('account-opening');
        opened.add(action.account);
        funded += action.lamports;
        break;
      case 'open-token-account':
        if (!wrapsInto(action, user, opened)) deny('account-opening');
        initialized.add(action.account);
        accounts.set(action.account, WSOL_MINT);
        break;
      case 'create-associated':
        if (action.payer !== user || action.owner !== user) deny('account-opening');
        if (![mintOut, ...middles].includes(action.mint)) deny('account-opening');
        accounts.set(action.account, action.mint);
        break;
      case 'transfer-token':
        if (action.source === action.destination && action.authority === user) {
          // Moves nothing and fails unless the account holds that much: a check of the outcome.
          if (action.extraAccounts > 0) deny('instruction');
          checks.push(action);
          unproved.delete(action.source);
        } else if (accounts.get(action.destination) === action.mint) {
          // Whoever pays, it reaches an account that is proved to be the trader's.
          const held = passing.get(action.mint);
          if (held !== undefined) passing.set(action.mint, held + action.amount);
          if (action.mint === mintOut && action.authority !== user) received += action.amount;
          // Between accounts of this message nothing leaves; what joins them from elsewhere may.
          if (action.mint === mintIn && action.authority === user && !initialized.has(action.source)) {
            spent += action.amount;
          }
        } else if (action.authority !== user) {
          deny('token-destination');
        } else if (action.mint === mintOut) {
          if (paysSol || action.destination !== referrer?.account) deny('token-destination');
          if (action.extraAccounts > 0) deny('instruction');
          paid += action.amount;
        } else {
          // Wrapped SOL of the trader's own stays where it is: only this message's account may pay.
          if (action.mint === WSOL_MINT && !initialized.has(action.source)) deny('token-destination');
          const held = passing.get(action.mint);
          if (held !== undefined) passing.set(action.mint, held - action.amount);
          else if (action.mint === mintIn) spent += action.amount;
          else if (action.mint !== WSOL_MINT) deny('token-destination');
        }
        break;
      case 'close-token-account': {
        const mint = accounts.get(action.account);
        const isOurs = initialized.has(action.account) || (mint !== undefined && middles.includes(mint));
        if (action.destination !== user || action.authority !== user || !isOurs) deny('account-closing');
        closed.add(action.account);
        break;
      }
      case 'take-order':
        if (!programs.includes(action.programId)) deny('program');
        if (action.owner !== user) deny('instruction');
        unproved.add(action.receiver);
        calls += 1;
        takes += 1;
        checks.length = 0;
        break;
      case 'router-call':
        if (isForeign) {
          if (!programs.includes(action.programId)) deny('program');
        } else {
          if (context.routerProgram !== true) deny('program');
          const passes = context.middles.filter((mint) => mint !== mintIn && mint !== mintOut);
          const terms = { wallet: user, mintIn, mintOut, middles: passes, programs };
          const broken = brokenRouterRule(action.call, { ...terms, own: accounts, wrapped: initialized });
          if (broken !== null || action.call === null) deny(broken ?? 'instruction');
          routed = action.call;
          spent += action.call.amountIn;
        }
        calls += 1;
        checks.length = 0;
        break;
      case 'foreign':
        if (!programs.includes(action.programId)) deny('program');
        calls += 1;
        // Only a check that comes after the last call says anything about it.
        checks.length = 0;
        break;
      case 'memo':
        deny('memo');
        break;
      case 'forbidden':
        deny('instruction');
    }
  }

  // A trader who is the referrer too is paid by a transfer of the account to itself.
  const paysSelf = !paysSol && referrer !== null && accounts.get(referrer.account) === mintOut;
  if (paid !== (paysSelf ? 0n : owed)) deny(paysSol ? 'sol-amount' : 'token-amount');
  if (spent > amount - feeIn) deny('token-amount');
  if (funded > (mintIn === WSOL_MINT ? amount - feeIn : 0n) + RENT_ALLOWANCE * BigInt(opened.size)) {
    deny('account-opening');
  }
  // One that wraps, and one of a venue that takes lamports and not wrapped ones.
  if (opened.size > 2) deny('account-opening');
  for (const account of opened) {
    if (!initialized.has(account)) deny('account-opening');
    // What was wrapped with the trader's lamports must come back within the same transaction.
    if (!closed.has(account)) deny('account-closing');
  }
  const proves = ({ source, mint, amount: held }: (typeof checks)[number]): boolean =>
    mint === mintOut && accounts.get(source) === mintOut && held >= minOut + feeOut;
  if (routed !== null && calls > 1) deny('instruction');
  if (routed !== null && signers.length > 1) deny('signers');
  if (routed !== null && routed.minOut < minOut + feeOut) deny('swap-check');
  if (unproved.size > 0) deny('swap-check');
  const isTaken = takes > 0 && takes === calls;
  if ((isForeign || isTaken) && !checks.some(proves)) deny('swap-check');
  // Without a program's call every payment of the swap is a transfer that can be seen, and must be enough.
  if (calls === 0 && !isForeign) {
    if (received < minOut + feeOut) deny('token-amount');
    if ([...passing.values()].some((left) => left < 0n)) deny('token-amount');
  }
}
