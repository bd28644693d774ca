import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Encontrar un token: búsqueda, tendencias y novedades. */
export const esSearch = {
  'btn.search': 'Buscar',
  'btn.trending': 'Tendencias',
  'btn.newest': 'Nuevos',
  'btn.next_page': 'Más',
  'btn.previous_page': 'Anterior',

  'search.ask':
    '<b>Buscar</b>\nEnvíame un nombre como puppy, un símbolo como $PUP, una dirección o un enlace.',
  'search.title': '<b>Buscar «{text}»</b> · encontrados: {count}, página {page} de {pages}',
  'search.row': '{rank} <b>{symbol}</b> {name} · {mint}',
  'search.facts': '    {price} · {change} 24 h · liquidez {liquidity}{marks}',
  'search.looks_like': '    ⚠️ se parece al número {rank}, pero es otro token',
  'search.looks_like_known': '    ⚠️ se parece al más conocido {mint}, pero es otro token',
  'search.verified': ' · verificado',
  'search.held': ' · lo tienes',
  'search.made_here': ' · hecho aquí',

  'trending.title':
    '<b>Tendencias · {hours} h</b>\nPor las personas que entraron o salieron de un token; comprar y vender lo mismo no cuenta.',
  'search.nothing':
    'Aquí no se conoce ningún token llamado «{text}». Uno nuevo se encuentra por su dirección.',
  'trending.trader_one': '1 persona',
  'trending.traders': '{count} personas',
  'trending.facts': '    {price} · {change} 24 h · {traders} · vol. {volume}',
  'trending.none': 'Nada fue tendencia en las últimas {hours} h: aquí operaron muy pocas personas.',
  'trending.read_at': 'Calculado a las {at} UTC',
} as const satisfies Catalogue;
