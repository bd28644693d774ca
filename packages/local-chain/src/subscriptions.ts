import type { Address } from './address.ts';
import type { LocalChain } from './chain.ts';
import type { LandedTransaction, TransactionStatus } from './landed-transaction.ts';
import { accountFilter } from './rpc/account-filters.ts';
import { encodeAccount, encodeKeyed, encodingOf } from './rpc/encode-account.ts';
import { encodeJson } from './rpc/encode-json.ts';
import {
  addressParam,
  asAddress,
  commitmentOf,
  configParam,
  integerParam,
  isRecord,
  type Params,
  signatureText,
  withContext,
} from './rpc/params.ts';
import { invalidParams, METHOD_NOT_FOUND, RpcError } from './rpc/rpc-error.ts';
import type { Commitment } from './slots.ts';

/** One web-socket client. */
export type Subscriber = { send(text: string): void };

type Watch = {
  /** Transactions that reached `commitment`; `slot` is the newest slot there. */
  readonly reached?: (landed: readonly LandedTransaction[], slot: number) => void;
  readonly slot?: (tip: number) => void;
  readonly commitment: Commitment;
};

/** The subscriptions of all clients. */
export interface Subscriptions {
  /** Answers `…Subscribe` and `…Unsubscribe`. Throws RpcError for anything else. */
  call(subscriber: Subscriber, method: string, params: Params): unknown;
  /** Runs the notices that must follow the answer: a signature that is already there is reported after its subscription id. */
  afterAnswer(): void;
  drop(subscriber: Subscriber): void;
}

export function createSubscriptions(chain: LocalChain): Subscriptions {
  const watches = new Map<number, { readonly subscriber: Subscriber; readonly watch: Watch }>();
  const due: (() => void)[] = [];
  let nextId = 1;

  const notify = (subscriber: Subscriber, name: string, subscription: number, result: unknown): void => {
    subscriber.send(
      `{"jsonrpc":"2.0","method":"${name}Notification","params":{"result":${encodeJson(result)},"subscription":${subscription}}}`,
    );
  };
  const deliver = (commitment: Commitment, landed: readonly LandedTransaction[], slot: number): void => {
    if (landed.length === 0) return;
    for (const { watch } of watches.values()) {
      if (watch.commitment === commitment) attempt(() => watch.reached?.(landed, slot));
    }
  };
  chain.listen({
    landed: (transaction) => deliver('processed', [transaction], transaction.slot),
    slot: (tip) => {
      for (const commitment of ['confirmed', 'finalized'] as const) {
        const slot = chain.slots.at(commitment);
        deliver(commitment, chain.ledger.ofSlot(slot), slot);
      }
      for (const { watch } of watches.values()) watch.slot?.(tip);
    },
  });

  const makers: Record<string, (id: number, to: Subscriber, params: Params) => Watch> = {
    account: (id, to, params) => {
      const address = addressParam(params, 0);
      const config = configParam(params, 1);
      encodingOf(config);
      const commitment = commitmentOf(config);
      let toldOf = -1;
      const tell = (): void => {
        const view = chain.view(commitment);
        const state = view.account(address) ?? EMPTY_ACCOUNT;
        toldOf = view.slot;
        notify(to, 'account', id, withContext(view.slot, encodeAccount(state, config, view.account)));
      };
      // No transaction writes the clock: the chain itself does, in every slot.
      if (address === CLOCK_SYSVAR) {
        return {
          commitment,
          slot: () => {
            if (chain.slots.at(commitment) > toldOf) tell();
          },
        };
      }
      return {
        commitment,
        reached: (landed) => {
          if (landed.some((one) => writesTo(one, address))) tell();
        },
      };
    },
    program: (id, to, params) => {
      const program = addressParam(params, 0, 'a program address');
      const config = configParam(params, 1);
      encodingOf(config);
      const matches = accountFilter(config);
      const commitment = commitmentOf(config);
      return {
        commitment,
        reached: (landed) => {
          const view = chain.view(commitment);
          for (const address of writtenBy(landed)) {
            const state = view.account(address);
            if (state === null || state.owner !== program || !matches(state)) continue;
            notify(
              to,
              'program',
              id,
              withContext(view.slot, encodeKeyed(address, state, config, view.account)),
            );
          }
        },
      };
    },
    signature: (id, to, params) => {
      const signature = signatureText(params[0], 'parameter 1 must be a signature');
      const config = configParam(params, 1);
      const commitment = commitmentOf(config);
      const tell = (landed: TransactionStatus): void => {
        // The subscription ends with its notification, as on a cluster.
        if (!watches.delete(id)) return;
        notify(to, 'signature', id, withContext(chain.slots.at(commitment), { err: landed.err }));
      };
      if (config['enableReceivedNotification'] === true) {
        due.push(() => {
          if (chain.ledger.status(signature) === undefined || !watches.has(id)) return;
          notify(to, 'signature', id, withContext(chain.slots.tip(), 'receivedSignature'));
        });
      }
      due.push(() => {
        const landed = chain.ledger.status(signature);
        if (landed !== undefined && landed.slot <= chain.slots.at(commitment)) tell(landed);
      });
      return {
        commitment,
        reached: (landed) => {
          const found = landed.find((one) => one.signature === signature);
          if (found !== undefined) tell(found);
        },
      };
    },
    logs: (id, to, params) => {
      const mentions = logFilter(params[0]);
      const commitment = commitmentOf(configParam(params, 1));
      return {
        commitment,
        reached: (landed, slot) => {
          for (const { signature, err, logs, keys } of landed) {
            if (mentions !== null && !keys.includes(mentions)) continue;
            notify(to, 'logs', id, withContext(slot, { signature, err, logs }));
          }
        },
      };
    },
    slot: (id, to) => ({
      commitment: 'processed',
      slot: (slot) =>
        notify(to, 'slot', id, {
          parent: chain.slots.parentOf(slot),
          root: chain.slots.at('finalized'),
          slot,
        }),
    }),
    root: (id, to) => ({
      commitment: 'processed',
      slot: () => notify(to, 'root', id, chain.slots.at('finalized')),
    }),
  };

  return {
    call: (subscriber, method, params) => {
      const [, name = '', verb = ''] = /^(.*?)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
      const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
      if (make === undefined)
        throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 64)}`);
      if (verb === 'Unsubscribe') {
        const id = integerParam(params, 0, 'a subscription id');
        if (watches.get(id)?.subscriber !== subscriber) throw invalidParams('Invalid subscription id.');
        return watches.delete(id);
      }
      const id = nextId;
      nextId += 1;
      watches.set(id, { subscriber, watch: make(id, subscriber, params) });
      return id;
    },
    afterAnswer: () => {
      for (const run of due.splice(0)) run();
    },
    drop: (subscriber) => {
      for (const [id, watch] of watches) if (watch.subscriber === subscriber) watches.delete(id);
    },
  };
}

/** A subscription that cannot be served (data too long for base58) misses its notice; the transaction that caused it remains valid. */
function attempt(notify: () => void): void {
  try {
    notify();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';

const EMPTY_ACCOUNT = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: '11111111111111111111111111111111' as Address,
  executable: false,
};

function writesTo(landed: LandedTransaction, address: Address): boolean {
  return landed.writable[landed.keys.indexOf(address)] === true;
}

function writtenBy(landed: readonly LandedTransaction[]): Set<Address> {
  return new Set(landed.flatMap((one) => one.keys.filter((_, i) => one.writable[i] === true)));
}

function logFilter(given: unknown): Address | null {
  if (given === 'all' || given === 'allWithVotes') return null;
  if (isRecord(given) && Array.isArray(given['mentions']) && given['mentions'].length === 1) {
    return asAddress(given['mentions'][0], '"mentions" must hold one address');
  }
  throw invalidParams('parameter 1 must be "all", "allWithVotes" or { mentions: [address] }');
}
