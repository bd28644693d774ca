/** Positions, results and exports. */
export const enPositions = {
  'btn.clean_up': 'Empty {count}: {sol} back',
  'btn.clean_up_yes': 'Close {count} and take {sol} back',
  'cleanup.ask':
    '<b>Clean up {wallet}</b>\nEmpty token accounts: {count}. Each keeps a deposit that the network asked for; closing brings back\n<b>{sol}</b>{usd}\nNetwork fee at most {fee}. Buying such a token again opens its account again, for the same deposit.',
  'cleanup.more': 'Left for the next time: {count}.',
  'cleanup.kept': 'Staying: {count}. Another address alone may close them, or their balance is confidential.',
  'cleanup.nothing': 'No token account of this wallet is empty: nothing to clean up.',
  'result.cleaned_up': '<b>Empty accounts closed: {count} · {sol} came back</b> ({state})',
  'receipt.cleaned_up': 'Empty accounts closed: {count} · {sol} came back',
  'btn.positions': 'Positions',
  'btn.hidden_positions': 'Hidden ({count})',
  'btn.portfolio': 'Portfolio picture',
  'btn.pnl_card': 'PnL card',
  'btn.hide': 'Hide',
  'btn.show_position': 'Show again',
  'btn.sell_other': 'Sell another part',
  'btn.buy_again_for': 'Buy for {sol} SOL again',

  'positions.title': '<b>Positions</b> · {wallet}\nIf sold now: {net}{usd} · today {today}',
  'positions.none': 'Nothing here yet. Paste a token address to buy one.',
  'positions.more':
    'and {count} more that cost less: paste a token’s address to see one, or hide some of these',
  'positions.row': '{number}. {symbol} · {net}{change}',
  'positions.no_market': 'n/a, no market',
  'positions.week': 'Last 7 days: profit from sales {realized} · fees paid {fees}',
  'positions.under_way': 'Trades on their way, not counted yet: {count}',
  'positions.not_final': 'Trades in here that are not final yet: {count}',
  'positions.method': 'Everything is net: what a sale of all would bring now, after every fee.',
  'positions.hidden_title':
    '<b>Hidden positions</b>\nTokens nobody asked for, worth less than $1, or hidden by you. They are in no sum. Strangers send tokens to tempt you: do not trust their names or links.',

  'position.title': '{symbol} · {units}',
  'position.title_not_final': '{symbol} · {units} · not final',
  'position.if_sold': 'If sold now: {sol}{usd}, after every fee',
  'position.no_market': 'If sold now: n/a, no market',
  'position.money':
    'Paid: {paid}\nOpen result: {unrealized}{percent}\nProfit from sales so far: {realized} · together {total}',
  'position.middle': 'At the mid price: {mid} · impact and fees {lost}',
  'position.priced_at_receipt': 'A part came from outside. Its cost is what it was worth when it came.',
  'position.withdrawn': 'Sent away: {units}',
  'position.taken': 'Burnt, or taken by the mint’s delegate: {units}',
  'position.remainder': 'Left over from trades that passed through, at no cost: {units}',
  'position.adjusted': 'Difference to the chain that no transaction explains: {units}',

  'btn.export': 'Export',
  'btn.export_trades': 'All events (CSV)',
  'btn.export_koinly': 'For Koinly (CSV)',
  'export.title':
    '<b>Export</b>\nEvery trade, transfer and fee that moved a token in your wallets, with exact amounts. No gains are computed: how they are counted differs by country. Deposits and withdrawals of SOL itself are not in it.',
  'export.trades':
    'Every event with exact units and lamports. Times are UTC. The last columns are the amount as screens show it, and by what a token scales it.',
  'export.koinly':
    'In Koinly’s universal format. The mint of each token is in the description. Amounts are as screens show them; a token that scales them has its factor there, too.',

  'card.if_sold': 'if sold at {time} UTC',
  'card.closed': 'position closed',
  'card.footer': 'net of all fees',
  'card.caption': 'Your result, net of all fees. Amounts are not on it.',
  'portfolio.title': 'Positions · {wallet}',
  'portfolio.today': 'today {percent}',
  'portfolio.no_days': 'No days yet',
  'portfolio.first_day': 'The first day: a line needs two',
  'portfolio.rest': 'the rest',
  'portfolio.footer': 'What a sale of every position would bring, net of all fees',
  'portfolio.caption': 'Net value of your positions, day by day, and what it is made of.',

  'receipt.rent_back': 'Account deposit that came back: {rent}',
  'result.sold_profit': 'Profit: {sol}{usd} · {percent}{part}',
  'result.sold_loss': 'Loss: {sol}{usd} · {percent}{part}',
  'result.sold_part': ', for the units whose cost is known',
} as const;
