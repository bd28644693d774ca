/** The main menu and the menus behind it. */
export const enHome = {
  'btn.create': 'Create',
  'btn.earn': 'Earn',
  'btn.orders_open': 'Orders ({count})',
  'btn.more': 'More',

  'home.title': '<b>{bot}</b> · {wallet}',
  'home.funds': '{sol}{usd} · {tokens}',
  'home.funds_unknown': 'Balance: n/a (the network does not answer just now)',
  'funds.in_doubt':
    'Our nodes disagree about this balance. You see the lower amount, and a token may be missing. Look again in a minute.',
  'home.portfolio': 'Portfolio about <b>{total}</b>',
  'home.portfolio_part': 'Portfolio about <b>{total}</b>, without {count} unpriced',
  'home.tokens_none': 'no tokens',
  'home.tokens_one': '1 token',
  'home.tokens_many': '{count} tokens',
  'home.hint': 'Send a name, <code>$TICKER</code>, address or link',
  'home.hint_empty': 'This wallet is empty. Deposit SOL first: trades and network fees are paid from it.',
  'home.frozen':
    '<b>Frozen.</b> Nothing is signed for you: no trade, no withdrawal. Unlock it under More → Security.',
  'home.frozen_until': '<b>Frozen.</b> Nothing is signed for you. It unlocks at {until}.',
  'home.create':
    '<b>Create</b>\n<b>Launch</b>: a launchpad makes the token and sells it from its first minute on.\n<b>Create token</b>: you get the whole supply and choose every detail. It cannot be traded until it has a market.',
  'home.create_only':
    '<b>Create token</b>: you get the whole supply and choose every detail. It cannot be traded until it has a market.',
  'home.earn':
    '<b>Earn</b>\n<b>Referral</b>: {percent} of the fees of everybody who starts through your link, in SOL.\n<b>Points</b>: for trading, making tokens and tapping. Not a token, no cash value.',
  'home.more': '<b>More</b>',
} as const;
