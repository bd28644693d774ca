/** Finding a token: search, trends, new tokens. */
export const enSearch = {
  'btn.search': 'Search',
  'btn.trending': 'Trending',
  'btn.newest': 'New',
  'btn.next_page': 'More',
  'btn.previous_page': 'Previous',

  'search.ask': '<b>Search</b>\nSend me a name like puppy, a ticker like $PUP, an address or a link.',
  'search.title': '<b>Search “{text}”</b> · {count} found, page {page} of {pages}',
  'search.row': '{rank} <b>{symbol}</b> {name} · {mint}',
  'search.facts': '    {price} · {change} 24h · liquidity {liquidity}{marks}',
  'search.looks_like': '    ⚠️ looks like number {rank}, but is another token',
  'search.looks_like_known': '    ⚠️ looks like the better known {mint}, but is another token',
  'search.verified': ' · verified',
  'search.held': ' · you hold it',
  'search.made_here': ' · made here',

  'trending.title':
    '<b>Trending · {hours} h</b>\nBy people who moved into or out of a token; buying and selling the same counts nothing.',
  'search.nothing': 'No token named “{text}” is known here. A new one is found by its address.',
  'trending.trader_one': '1 trader',
  'trending.traders': '{count} traders',
  'trending.facts': '    {price} · {change} 24h · {traders} · vol {volume}',
  'trending.none': 'Nothing trended in the last {hours} h: too few people traded here.',
  'trending.read_at': 'Worked out at {at} UTC',
} as const;
