import { setTimeout as pause } from 'node:timers/promises';
import type { LocalChain } from '../chain.ts';
import { type Dispatch, failure, success } from '../rpc/dispatch.ts';
import { type Config, configParam, isRecord } from '../rpc/params.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { transactionParam } from '../rpc/transaction-input.ts';
import { MAX_BLOCKHASH_AGE } from '../slots.ts';
import type { WireTransaction } from '../wire.ts';
import { prunedAnswer, shiftedAnswer, truncatedAnswer } from './altered-answer.ts';
import { createFaultChooser } from './choose-faults.ts';
import { type FaultPlan, type FaultPlanInput, type FaultRule, readFaultPlan } from './fault-plan.ts';
import { laggingAnswer } from './lagging-answer.ts';
import { createOracles, httpLookup, type OracleReport, type SignatureLookup } from './oracles.ts';
import { providerPlan } from './providers.ts';

export type GateAnswer =
  | { readonly kind: 'answer'; readonly body: string | null }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  | { readonly kind: 'page' }
  | { readonly kind: 'reset' };

export type FaultReport = {
  readonly calls: number;
  /** The same by method. */
  readonly methods: Readonly<Record<string, number>>;
  /** How often each kind fired. */
  readonly fired: Readonly<Record<string, number>>;
  /** The same for `sendTransaction` alone, of `calls` sends since the plan was set. */
  readonly sends: { readonly calls: number; readonly fired: Readonly<Record<string, number>> };
  readonly oracles: OracleReport;
};

/** The way between the clients and the chain, with the faults on it. */
export interface FaultGate {
  answer(body: string): Promise<GateAnswer>;
  /** Replaces the plan; held transactions of the old one still land when they are due. Throws a RangeError for a bad one. */
  setPlan(plan: FaultPlanInput): void;
  /** From now on each new signature is looked up before it is dealt with; null stops that. */
  watch(lookup: SignatureLookup | null): void;
  report(): FaultReport;
  /** Signatures that landed without an error, by memo. */
  landed(): ReadonlyMap<string, readonly string[]>;
  /** `POST /chaos` `{ plan?, provider?, lookupUrl? }` and its answer: the report. */
  control(body: string): { readonly status: number; readonly body: unknown };
}

type SendRule = Extract<FaultRule, { kind: 'drop' | 'late' | 'fork' | 'duplicate' }>;
type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

/** A batch gets no faults: faults and oracles are for single calls, and every client here makes those. */
export function createFaultGate(
  chain: LocalChain,
  dispatch: Dispatch,
  first: FaultPlanInput,
  now: () => number,
): FaultGate {
  let choose = createFaultChooser(readFaultPlan(first), now);
  const oracles = createOracles(chain);
  const fired: Record<string, number> = {};
  let calls = 0;
  const methods: Record<string, number> = {};
  let sends = { calls: 0, fired: {} as Record<string, number> };
  /** Bytes accepted now and landed in that slot. */
  const held: { readonly slot: number; readonly transaction: WireTransaction }[] = [];
  /** Signatures of a fork that will die, with the slot they seem to be in and the one it dies in. */
  const forked = new Map<string, { readonly slot: number; readonly until: number }>();

  chain.listen({
    slot: (slot) => {
      for (const [signature, fork] of forked) if (fork.until <= slot) forked.delete(signature);
      const due = held.filter((one) => one.slot <= slot);
      for (const one of due) {
        held.splice(held.indexOf(one), 1);
        chain.submit(one.transaction, { signaturesVerified: false });
      }
    },
  });

  const answered = (body: string | null): GateAnswer => ({ kind: 'answer', body });
  const plainly = (call: Call, body: string): string | null => withForks(call, dispatch(body));

  function withForks(call: Call, answer: string | null): string | null {
    if (answer === null || forked.size === 0 || call.method !== 'getSignatureStatuses') return answer;
    const asked = Array.isArray(call.params[0]) ? call.params[0] : [];
    const parsed: unknown = JSON.parse(answer);
    if (!isRecord(parsed) || !isRecord(parsed['result'])) return answer;
    const { value } = parsed['result'];
    if (!Array.isArray(value)) return answer;
    return success(call.id, {
      ...parsed['result'],
      value: value.map((status: unknown, index) => {
        const fork = forked.get(String(asked[index]));
        if (status !== null || fork === undefined) return status;
        return {
          slot: fork.slot,
          confirmations: 0,
          err: null,
          status: { Ok: null },
          confirmationStatus: 'processed',
        };
      }),
    });
  }

  function send(call: Call, rule: SendRule, transaction: WireTransaction, body: string): GateAnswer {
    const accepted = answered(success(call.id, transaction.signature));
    switch (rule.kind) {
      case 'drop':
        return accepted;
      case 'late': {
        const born = chain.slots.liveHashSlot(transaction.message.blockhash);
        if (born === undefined) return answered(dispatch(body));
        held.push({ slot: born + MAX_BLOCKHASH_AGE - rule.beforeExpiry, transaction });
        return accepted;
      }
      case 'fork':
        if (chain.refusal(transaction, 'processed') !== null) return answered(dispatch(body));
        forked.set(transaction.signature, { slot: chain.slots.tip(), until: chain.slots.tip() + rule.slots });
        return accepted;
      case 'duplicate':
        dispatch(body);
        return answered(dispatch(body));
    }
  }

  async function faulty(call: Call, body: string, transaction: WireTransaction | null): Promise<GateAnswer> {
    const { slowMs, keepsSlots, rule, draw } = choose(call.method);
    if (transaction !== null) sends.calls += 1;
    if (slowMs > 0) {
      count('slow', transaction);
      await pause(slowMs);
    }
    const served = (): string | null => {
      const answer = plainly(call, body);
      return answer === null || keepsSlots === null ? answer : prunedAnswer(chain, call, answer, keepsSlots);
    };
    const altered = (change: (answer: string) => string): GateAnswer => {
      const answer = served();
      return answered(answer === null ? null : change(answer));
    };
    if (rule === null) return answered(served());
    count(rule.kind, transaction);
    switch (rule.kind) {
      case 'reset':
        return { kind: 'reset' };
      case 'page':
        return { kind: 'page' };
      case 'status':
        return { kind: 'status', status: rule.status };
      case 'limit':
        return {
          kind: 'status',
          status: 429,
          ...(rule.retryAfterS === undefined ? {} : { retryAfterS: rule.retryAfterS }),
        };
      case 'refuse':
        return answered(failure(call.id, new RpcError(rule.code, rule.message)));
      case 'lose-answer':
        dispatch(body);
        return { kind: 'reset' };
      case 'lag':
        return altered((answer) => laggingAnswer(chain, call, answer, rule.slots));
      case 'wrong-slot':
        return altered((answer) => shiftedAnswer(call, answer, Math.round((2 * draw - 1) * rule.slots)));
      case 'truncate':
        return altered((answer) => truncatedAnswer(call, answer));
      case 'drop':
      case 'late':
      case 'fork':
      case 'duplicate':
        return transaction === null ? answered(served()) : send(call, rule, transaction, body);
    }
  }

  function count(kind: string, transaction: WireTransaction | null): void {
    fired[kind] = (fired[kind] ?? 0) + 1;
    if (transaction !== null) sends.fired[kind] = (sends.fired[kind] ?? 0) + 1;
  }

  const report = (): FaultReport => ({
    calls,
    methods: { ...methods },
    fired: { ...fired },
    sends: { calls: sends.calls, fired: { ...sends.fired } },
    oracles: oracles.report(),
  });
  const setPlan = (plan: FaultPlanInput): void => {
    choose = createFaultChooser(readFaultPlan(plan), now);
    sends = { calls: 0, fired: {} };
  };
  return {
    async answer(body) {
      calls += 1;
      const call = singleCall(body);
      if (call === null) return answered(dispatch(body));
      methods[call.method] = (methods[call.method] ?? 0) + 1;
      const transaction = call.method === 'sendTransaction' ? sentTransaction(call.params) : null;
      if (transaction !== null) await oracles.onSend(transaction);
      return faulty(call, body, transaction);
    },
    setPlan,
    watch: (lookup) => oracles.watch(lookup),
    report,
    landed: oracles.landed,
    control(body) {
      try {
        const order: unknown = JSON.parse(body);
        if (!isRecord(order)) throw new RangeError('Expected { plan?, provider?, lookupUrl? }.');
        if (order['plan'] !== undefined) setPlan(order['plan'] as FaultPlan);
        if (order['provider'] !== undefined) setPlan(providerPlan(String(order['provider'])));
        if (order['lookupUrl'] !== undefined)
          oracles.watch(httpLookup(new URL(String(order['lookupUrl'])).href));
      } catch (error) {
        return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
      }
      return { status: 200, body: report() };
    },
  };
}

function singleCall(body: string): Call | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isRecord(parsed) || typeof parsed['method'] !== 'string' || parsed['id'] === undefined) return null;
  const { id, method, params } = parsed;
  return { id, method, params: Array.isArray(params) ? params : [] };
}

/** Null for bytes that the chain will refuse to read: its own answer gives the reason. */
function sentTransaction(params: readonly unknown[]): WireTransaction | null {
  try {
    const config: Config = configParam(params, 1);
    return transactionParam(params, config);
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
