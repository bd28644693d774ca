import { keysOf } from '../../core/records.ts';
import type { CallName } from './protocol.ts';

/** The processes that ask the signer, each at a socket of its own. */
export const CALLERS = ['bot', 'worker', 'api', 'indexer'] as const;
export type Caller = (typeof CALLERS)[number];

/** The callers of each call. One that comes at another's socket is refused before it is looked at. */
const CALLERS_OF: Readonly<Record<CallName, readonly Caller[]>> = {
  openPerson: ['bot'],
  // Each reader of a person or a wallet checks them with it.
  certificateKey: ['bot', 'worker', 'api', 'indexer'],
  // The first of bot and worker makes the treasury; wallets of people are the bot's.
  create: ['bot', 'worker'],
  adopt: ['bot'],
  askExport: ['bot'],
  takeExport: ['bot'],
  // The link of a mail stops it, too.
  stopExport: ['bot', 'api'],
  // A person is at the other end of each.
  confirm: ['bot'],
  certifyOrders: ['bot'],
  certifyReceiving: ['bot'],
  // A person's changes; the link of a mail freezes.
  certifyGuard: ['bot'],
  certifyStop: ['api'],
  certifyAddress: ['bot'],
  confirmFire: ['worker'],
  mandateCopy: ['bot'],
  confirmCopy: ['worker'],
  certifyPersonalKey: ['bot'],
  endPersonalKey: ['bot'],
  // A program is at the other end, and has signed.
  confirmKeyed: ['api'],
  certifyKeyedOrder: ['api'],
  sign: ['worker'],
  verifyPin: ['bot'],
  draft: ['bot'],
  isDrafted: ['bot'],
  pinOfDraft: ['bot'],
  createSecondFactor: ['bot'],
  // On a page that Telegram does not keep.
  showSecondFactor: ['api'],
  confirmSecondFactor: ['bot'],
  // A job ends a round that its player left.
  gameSeed: ['bot', 'worker'],
};

/** The calls that a process makes. */
export function callsOf(caller: Caller): ReadonlySet<CallName> {
  return new Set(keysOf(CALLERS_OF).filter((call) => CALLERS_OF[call].includes(caller)));
}
