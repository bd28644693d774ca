/** The chart of a token. */
export const enChart = {
  'btn.chart': 'Chart',
  'btn.candles': 'Candles',
  'btn.depth': 'Depth',

  'chart.title': '<b>{name}</b> ({symbol})',
  'chart.candles': '{span} · {price} · {change} in this picture\nLow {low} · high {high}',
  'chart.none': 'No trade of it has been seen here in this span ({span}), so there is nothing to draw.',
  'chart.depth': 'SOL that moves the price so far:',
  'chart.depth_row': '{percent}: up {buy} · down {sell}',
  'chart.no_depth': 'No exchange trades it against SOL right now.',
  'chart.slot': 'slot {slot}',
  'chart.footer_one': 'from 1 trade seen by this service',
  'chart.depth_sell': 'sold, in SOL',
  'chart.depth_buy': 'bought, in SOL',
  'chart.depth_none': 'no more',
  'chart.footer': 'from {count} trades seen by this service',
  'chart.depth_title': 'depth',
  'chart.depth_footer': 'all pools against SOL together',
} as const;
