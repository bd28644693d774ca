/** Hands a mail to the mail server. */
export interface Mailer {
  /** `bounced`: the server will never take this mail. `later`: it may, another time. Reasons hold no text of the mail. Never throws. */
  send(mail: { readonly to: string; readonly subject: string; readonly text: string }): Promise<MailOutcome>;
}

export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'bounced'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string };
