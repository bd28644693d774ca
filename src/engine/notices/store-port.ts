import type { User } from '../../modules/settings/rules/user.ts';
import type { WholeIntent } from '../intents/store/intent-store-port.ts';

/** A message that is owed to a person about an intent. Delivered at least once; carries the intent, so a repeat does no harm. */
export type Notice = {
  readonly id: string;
  readonly userId: string;
  readonly intentId: string | null;
  readonly kind:
    | 'waiting'
    | 'progress'
    | 'confirmed'
    | 'final'
    | 'reward-paid'
    | 'invitee-joined'
    /** A token's creator still holds powers over it a day later. */
    | 'revoke-reminder'
    | 'deposit'
    /** Something happened to a key file that the person asked for, or another did. */
    | 'export'
    /** A wallet was imported or renamed, or is to receive from a moment on. */
    | 'wallet'
    | 'graduated'
    /** The person's guard was changed: how to stop it. */
    | 'guard'
    /** Something happened to an order. */
    | 'order'
    /** A price was crossed that the person wanted to hear of. */
    | 'alert'
    /** The time of a price alert is over. */
    | 'alert-ended'
    /** A wallet that the person follows has traded. */
    | 'follow-trade'
    /** A fork took such a trade back. */
    | 'follow-back'
    /** Further trades of a followed wallet within an hour: their number. */
    | 'follow-digest'
    /** Several wallets that the person follows bought the same token within a time. */
    | 'signal'
    /** Further signals within an hour: their number. */
    | 'signal-digest'
    /** A launch reached a stage that the person wants to hear of. */
    | 'launch-stage'
    /** Such a stage did not last, or is there again: its message is edited. */
    | 'launch-back'
    /** Further launches within an hour: their number. */
    | 'launch-digest'
    /** A copy paused, or one of its sales does not come about. */
    | 'copy'
    /** A key of the person's own program was added, or was used: many uses are one message. */
    | 'personal-key'
    /** A convert period takes points now; for people who asked for the notice. */
    | 'convert-open'
    /** A convert period ended for the person: paid out or given back. */
    | 'convert-ended'
    /** For operators: a request for an API key, or an answer to a question back. */
    | 'key-request'
    /** For operators: a mail about a key, or to a person, did not arrive. */
    | 'key-mail-failed';
  /** Plain JSON; bigints as decimal strings. */
  readonly payload: unknown;
  /** May lie ahead: the notice waits until then. */
  readonly createdAt: number;
  readonly deliveredAt: number | null;
  readonly attempts: number;
};

/** A notice, whom it is for, and where it has an intent, that and the message that shows it. */
export type NoticeToTell = {
  readonly notice: Notice;
  readonly user: User;
  readonly about: WholeIntent | null;
  readonly progress: ProgressMessage | null;
};

/** The chat message that shows an intent's progress. */
export type ProgressMessage = {
  readonly intentId: string;
  readonly chatId: bigint;
  readonly messageId: number;
};

export interface NoticeStore {
  /** Adds notices. A result of an intent overtakes the notices of its progress: those count as delivered from then on. */
  add(notices: readonly Notice[]): Promise<void>;
  find(id: string): Promise<Notice | null>;
  /** The newest notice of the intent's confirmation, delivered or not. */
  confirmedOf(intentId: string): Promise<Notice | null>;
  markDelivered(id: string, at: number): Promise<void>;
  /**
   * Counts one try and hands over the notice with everything that its message needs, as of now: one statement. Null when it is delivered or
   * unknown.
   */
  begin(id: string): Promise<NoticeToTell | null>;
  /** Undelivered ids of people who have not blocked the bot, oldest first, that were created before `before`. */
  undelivered(before: number, limit: number): Promise<readonly string[]>;
  setProgressMessage(message: ProgressMessage): Promise<void>;
  progressMessage(intentId: string): Promise<ProgressMessage | null>;
}
