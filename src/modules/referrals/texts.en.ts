/** The lines that an inviter can check, campaign links, and the code of one's own. */
export const enReferral = {
  'btn.ledger': 'Ledger',
  'btn.uncounted': 'Not counted',
  'btn.campaigns': 'Campaign links',
  'btn.custom_code': 'Custom code',
  'btn.csv': 'CSV',
  'btn.new_campaign': 'New link',
  'btn.code_yes': 'Take {code}',
  'ask.code': '3 to 12 of A-Z 0-9 -',
  'ask.tag': '1 to 16 of A-Z 0-9 -',

  'referral.wait': 'Waiting {sol}: {why}',
  'wait.imported-only':
    'your wallets were imported, and the person who gave you a key has it too. It is kept until you create a wallet here.',
  'wait.no-wallet': 'you have no deposit wallet. It is kept until you create one.',
  'wait.below-rent':
    'your wallet would hold less than a Solana account must. {missing} more, earned or deposited, and it is paid.',
  'wait.above-cap':
    'it is more than the {cap} that the service pays out in a day. The operator has to let it through.',
  'wait.below-minimum': 'it is paid from {minimum} on.',
  'wait.paused': 'the operator has paused payouts. Nothing is lost.',
  'wait.next': 'the next payout takes it along.',
  'wait.in-flight': 'sent, and final in a moment.',

  'ledger.title':
    '<b>Referral ledger</b>\nOne line per share, newest first. Anybody can look up the signatures.',
  'ledger.none': 'No trade of an invitee is final yet.',
  'ledger.row': '{at} · invitee {invitee} · {kind} {receipt}\nfee {fee} → yours {share}\n{payout}',
  'ledger.paid': 'paid in {signature}',
  'ledger.batched': 'in a payout that is not final yet',
  'ledger.accrued': 'waits for the next payout',
  'ledger.csv': 'Every share so far, in lamports.',
  'kind.buy': 'buy',
  'kind.sell': 'sell',
  'kind.create-token': 'token',
  'kind.launch': 'launch',

  'uncounted.title': '<b>Not counted</b>\nWhat your invitees did that brought no share, and why.',
  'uncounted.none': 'Everything your invitees did was counted.',
  'uncounted.row': '{at} · invitee {invitee} · {kind} {receipt}: {why}',
  'uncounted.not-final': 'not final yet. It counts when it is.',
  'uncounted.not-landed': 'it did not happen, so there was no fee.',
  'uncounted.no-fee': 'no fee reached the service, so there is nothing to share.',
  'uncounted.too-small': 'your share would be less than one lamport.',

  'campaigns.title': '<b>Campaign links</b>\nA link with a tag counts apart; the share is the same.',
  'campaigns.none': 'No person has come through a tagged link yet.',
  'campaigns.row': '{tag}: invited {invited} · active {active} · earned {earned}',
  'campaigns.ask': 'Which tag? 1 to 16 letters, digits or “-”, without spaces.',
  'campaigns.bad': 'Expected 1 to 16 of A–Z, 0–9 and “-”.',
  'campaigns.made': 'Your link for {tag}\n{link}',

  'code.ask': 'Which code? 3 to 12 letters, digits or “-”. Large and small letters are the same.',
  'code.confirm':
    '<b>Take the code {code}?</b>\nYour old code {old} stops working at once: an old link attaches no person to you any more. People who are attached stay.',
  'code.done': 'Your code is {code} now. Share the new link.',

  'err.code_shape': 'Expected 3 to 12 of A–Z, 0–9 and “-”, with a letter or digit at both ends.',
  'err.code_reserved': 'That code is reserved. Please choose another one.',
  'err.code_taken': 'That code is or was taken. Please choose another one.',
  'err.code_same': 'That is your code already.',
  'err.code_voucher': 'Choosing a code takes a voucher from the points shop.',
} as const;
