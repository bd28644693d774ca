/** Paper mode: real quotes, pretend money. Every title says PAPER. */
export const enPaper = {
  'btn.try_paper': 'Try paper mode',
  'btn.leave_paper': 'Leave paper mode',
  'btn.paper_reset': 'Start again with {sol}',
  'btn.paper_plain': 'Paper',
  'btn.paper_home': 'Paper positions',
  'btn.paper_buy': 'Buy on paper',
  'btn.paper_sell': 'Sell on paper',

  'paper.title': '<b>PAPER</b> · pretend money',
  'paper.intro':
    'Real prices, pretend money: you start with {sol}. Nothing is signed or sent, and nothing here can be withdrawn. Send me a token’s name, $TICKER or address.',
  'paper.balance': 'Cash {sol}{usd}',
  'paper.row': '<b>{symbol}</b> {amount} · if sold now {worth} · {change}',
  'paper.row_unknown': '<b>{symbol}</b> {amount} · no market now · paid {cost}',
  'paper.none': 'No tokens yet.',
  'paper.total': 'All together {sol} · {change} since the start',
  'paper.token': '<b>PAPER</b> · <b>{name}</b> ({symbol}) · {mint}',
  'paper.price': '{price} · {change} 24h',
  'paper.hold': 'You hold {amount} {symbol} on paper',
  'paper.confirm_buy': '<b>PAPER · Buy {symbol} with {sol}?</b>',
  'paper.confirm_sell': '<b>PAPER · Sell {amount} {symbol}?</b>',
  'paper.about': 'You get about {amount}',
  'paper.fees': 'Fees as in a real trade: {platform} to this service, {network} to the network',
  'paper.settles': 'It counts at the price of the moment you confirm. Nothing is signed or sent.',
  'paper.bought':
    '<b>PAPER · Bought {amount} {symbol} for {sol}</b>\nPretend money: nothing was signed or sent.',
  'paper.sold':
    '<b>PAPER · Sold {amount} {symbol} for {sol}</b> · {change}\nPretend money: nothing was signed or sent.',
  'paper.full': 'Your paper book has {max} tokens already. Sell one of them first.',
  'paper.unknown': '<b>PAPER</b>\nI found no token for that. Send me its name, $TICKER or address.',
  'paper.on': '<b>Paper mode is on.</b> Tokens open with pretend money; nothing is signed or sent.',
  'paper.reset_sure': '<b>PAPER</b>\nForget all paper trades and start again with {sol}?',
} as const;
