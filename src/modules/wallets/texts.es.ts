import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** El menú principal y los que hay detrás. */
export const esHome = {
  'btn.create': 'Crear',
  'btn.earn': 'Ganar',
  'btn.orders_open': 'Órdenes ({count})',
  'btn.more': 'Más',

  'home.title': '<b>{bot}</b> · {wallet}',
  'home.funds': '{sol}{usd} · {tokens}',
  'home.funds_unknown': 'Saldo: n/a (la red no responde ahora mismo)',
  'funds.in_doubt':
    'Nuestros nodos no coinciden en este saldo. Ves la cantidad menor y puede faltar un token. Vuelve a mirar en un minuto.',
  'home.portfolio': 'Cartera: unos <b>{total}</b>',
  'home.portfolio_part': 'Cartera: unos <b>{total}</b>, sin contar {count} sin precio',
  'home.tokens_none': 'sin tokens',
  'home.tokens_one': '1 token',
  'home.tokens_many': '{count} tokens',
  'home.hint': 'Envía nombre, <code>$TICKER</code>, dirección o enlace',
  'home.hint_empty':
    'Esta cartera está vacía. Primero deposita SOL: de aquí se pagan las operaciones y las comisiones de red.',
  'home.frozen':
    '<b>Congelado.</b> No se firma nada por ti: ni operaciones ni retiros. Desbloquéalo en Más → Seguridad.',
  'home.frozen_until': '<b>Congelado.</b> No se firma nada por ti. Se desbloquea a las {until}.',
  'home.create':
    '<b>Crear</b>\n<b>Lanzar</b>: una plataforma crea el token y lo vende desde el primer minuto.\n<b>Crear token</b>: recibes toda la cantidad y eliges cada detalle. Nadie puede comprarlo ni venderlo hasta que alguien le abra un mercado.',
  'home.create_only':
    '<b>Crear token</b>: recibes toda la cantidad y eliges cada detalle. Nadie puede comprarlo ni venderlo hasta que alguien le abra un mercado.',
  'home.earn':
    '<b>Ganar</b>\n<b>Referidos</b>: el {percent} de las comisiones de quienes empiecen con tu enlace, en SOL.\n<b>Puntos</b>: por operar, crear tokens y pulsar. No son un token ni tienen valor en dinero.',
  'home.more': '<b>Más</b>',
} as const satisfies Catalogue;
