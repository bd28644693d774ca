/** The spending of a chat, and where it needs the PIN. */
export const enSpending = {
  'pin.why.young': 'No record shows that this token is a day old.',
  'pin.why.home-made': 'This token was made with this service.',
  'pin.why.poor-exit': 'A test purchase could not be sold again for 85 % of what it took.',
  'pin.why.steep': 'The sale may bring less than 85 % of the present price.',
  'pin.why.fallen':
    'The sale may bring less than 85 % of the price of the last hour, or of now if it happens later.',
  'pin.why.cap': 'It is more than the {left} of {cap} that may still be spent now without it.',
  'err.trade_pin': 'This needs your PIN. {why}',
  'err.spending_limit_all':
    'That is {needed}, and {available} of the {cap} that one person may spend in 24 hours are left. Nothing was done.',
  'err.spending_limit_doubted':
    'That is {needed}, and {available} of the {cap} that one person may spend in 24 hours on tokens in doubt are left. Nothing was done.',
  'err.pin_new':
    'Your PIN is new: this works after {until}. Until then you can buy known tokens within your spending cap, and sell.',
  'trade.needs_pin': '<b>Needs your PIN.</b> {why}',
  'trade.ask_pin':
    '<b>This needs your PIN.</b> {why}\n\nType your PIN. It lets trades through for 12 hours, or until you tap Lock now under Security. Your message is deleted at once.',
  'trade.pin_first':
    '<b>This needs a PIN, and you have none yet.</b> {why}\n\nChoose a PIN: send 6 digits now. I delete your message. In an account younger than a day the PIN confirms this at once and covers trades for 12 hours.',
  'security.spend_cap': 'Without PIN, per 24 hours: {cap} · left now {left}',
  'security.spend_next': 'A spending cap of {cap} takes effect at {at}.',
  'security.open_until': '<b>Trades need no PIN until {at}.</b>',
  'security.trades_locked': 'Trades above that, and tokens that are new or hard to sell, ask for the PIN.',
  'security.trades_later': 'Your PIN is new: it lets trades through after {at}.',
  'security.ask_spend_cap':
    'How much SOL may this chat spend in 24 hours without your PIN? For example 1.5, or 0 to be asked every time. Lowering counts at once, raising waits.',
  'security.spend_pin': 'A spending cap of {cap}: type your PIN. Your message is deleted at once.',
  'security.spend_done': 'Your spending cap is {cap}.',
  'security.spend_waits': 'Your spending cap becomes {cap} at {at}.',
  'result.one_moment': 'One moment. If nothing follows here, nothing was done.',
  'btn.spend_cap': 'Spending cap',
  'btn.lock_now': 'Lock now',
} as const;
