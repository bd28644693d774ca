import type { Passed } from '../../guard/rules/passed.ts';
import type {
  Campaign,
  PayoutCandidate,
  ReferralAccount,
  ReferralTotals,
  Reward,
  RewardLine,
  UncountedLine,
} from '../rules/reward.ts';

type Page = { readonly offset: number; readonly limit: number };

export interface ReferralStore {
  account(userId: string): Promise<ReferralAccount | null>;
  accountByCode(code: string): Promise<ReferralAccount | null>;
  /** Creates the account unless the person has one; returns the stored one. */
  open(account: ReferralAccount): Promise<ReferralAccount>;
  /** Whose code it is or ever was; null = free. */
  codeOwner(code: string): Promise<string | null>;
  /** Gives the account a chosen code and retires the old one. False when the code is or was another person's. */
  rename(passed: Passed<'referral-code'>, userId: string, code: string, at: number): Promise<boolean>;
  /** Remembers the tag of the link that a new person came through; once per person. */
  addArrival(arrival: {
    readonly inviteeId: string;
    readonly inviterId: string;
    readonly tag: string;
  }): Promise<void>;
  /** Tags by number of people, largest first. */
  campaigns(inviterId: string, limit: number): Promise<readonly Campaign[]>;
  totals(userId: string): Promise<ReferralTotals>;
  /** Lamports on the SOL side of the trades of the person's invitees that became final since, as they landed. */
  volume(userId: string, since: number): Promise<bigint>;
  /** The people and sources of a payout, one row per person and source. */
  payoutSources(
    payoutIntentId: string,
  ): Promise<readonly { readonly inviterId: string; readonly source: Reward['source'] }[]>;
  /** The shares of conversions that a payout holds, by the rows; `name` says the period. */
  payoutConversions(
    payoutIntentId: string,
  ): Promise<readonly { readonly userId: string; readonly name: string; readonly lamports: bigint }[]>;
  /** Inserts; false when the signature already has a reward. */
  addReward(reward: Reward): Promise<boolean>;
  /** Inviters owed at least so much who have a payout wallet at `now` (`payoutWallet` in modules/wallets/rules), largest sum first. Of conversions those of these periods count. */
  payoutCandidates(
    page: Page & {
      readonly leastLamports: bigint;
      readonly now: number;
      readonly conversions: readonly string[];
    },
  ): Promise<readonly PayoutCandidate[]>;
  /**
   * Sum of accrued rewards of each of these, largest first, of conversions those of these periods; locks the rewards against another
   * collector.
   */
  lockAccrued(
    inviterIds: readonly string[],
    conversions: readonly string[],
  ): Promise<
    readonly {
      readonly inviterId: string;
      readonly lamports: bigint;
      readonly rewardIds: readonly string[];
    }[]
  >;
  markBatched(rewardIds: readonly string[], payoutIntentId: string): Promise<void>;
  /** Moves the batch's rewards to PAID, or back to ACCRUED when the payout did not land. */
  settle(payoutIntentId: string, status: 'PAID' | 'ACCRUED'): Promise<void>;
  /** A person's rewards, newest first. */
  rewards(inviterId: string, limit: number): Promise<readonly Reward[]>;
  /** An inviter's shares as an audit shows them, newest first; rebates are not among them. */
  rewardLines(inviterId: string, page: Page): Promise<readonly RewardLine[]>;
  /** Trades and creations of the person's invitees without a reward, newest first. */
  uncounted(inviterId: string, page: Page): Promise<readonly UncountedLine[]>;
}
