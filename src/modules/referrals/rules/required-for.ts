/** The acts for which an operator may ask a referral account first: making a token, launching one, trading. */
export const REFERRAL_ACTIONS = ['create', 'launch', 'trade'] as const;
export type ReferralAction = (typeof REFERRAL_ACTIONS)[number];
