/** Buying a pasted token at once. */
export const enAutoBuy = {
  'btn.autobuy_plain': 'Auto-buy',
  'autobuy.title_on': 'Auto-buy is ON',
  'autobuy.title_off': 'Auto-buy is off',
  'autobuy.what':
    'When it is on and you send me a token’s address alone, I buy it at once for <b>{sol}</b>, without asking. At most {day} in 24 hours; never when it would move the price by more than {impact}.',
  'autobuy.never':
    'It never buys a token with a warning, one that you bought in the last 24 hours, or an address inside a sentence, under a picture, behind a link, or in a message that you did not write here. Then you get its card and the reason.',
  'autobuy.rules':
    'Your slippage, your spending cap and your PIN stay as they are: what would ask for the PIN is not bought this way.',
  'autobuy.paper': 'You are in paper mode: as long as it is on, nothing is bought this way.',
  'autobuy.sure':
    '<b>Turn auto-buy on?</b>\nFrom then on a pasted address costs you {sol} at once, up to {day} in 24 hours. New tokens often lose everything within hours.',
  'autobuy.ask_amount': 'For how much SOL shall one purchase be? Send a number, like 0.2.',
  'autobuy.not': '<b>Not bought:</b> {why}',
  'autobuy.why.not-exact': 'auto-buy takes a token’s address alone, or a link to it.',
  'autobuy.why.borrowed':
    'auto-buy buys nothing from messages that are forwarded, quoted or written by another bot.',
  'autobuy.why.late': 'your message waited for more than a minute, and the price is another one by now.',
  'autobuy.why.bought-before': 'you bought this token in the last 24 hours.',
  'autobuy.why.warned': 'the token has a warning. Read it below.',
  'autobuy.why.impact': 'it would move the price by more than {max}.',
  'autobuy.why.day': 'auto-buy would spend more than {sol} in 24 hours.',
  'autobuy.why.cap': 'orders and auto-buy may spend no more in these 24 hours.',
  'autobuy.why.sending-down': 'protected sending does not answer. Use the buttons below.',
  'autobuy.why.pin': 'this purchase asks for your PIN. Use the buttons below.',
  'btn.autobuy_amount': 'Type an amount',
  'btn.autobuy_day': '{sol} a day',
  'btn.autobuy_impact': 'Impact ≤ {percent}',
  'btn.autobuy_on': 'Turn on…',
  'btn.autobuy_off': 'Turn off',
  'btn.autobuy_yes': 'Turn auto-buy on',
} as const;
