import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Carteras seguidas. */

export const esFollows = {
  'err.follow_not_found': 'Ya no sigues esa cartera.',
  'follow.refused.no-wallet':
    'Eso es un token o un programa, no una cartera. Se espera la dirección de una cartera.',
  'follow.refused.own': 'Esa cartera es tuya.',
  'follow.refused.twice': 'Ya sigues esa cartera.',
  'follow.refused.too-many': 'Sigues {max} carteras, que es el máximo. Quita una antes.',
  'follow.title': '<b>Siguiendo</b> · {count}{page}',
  'follow.none': 'Aún no sigues ninguna cartera',
  'follow.scope': 'Visto: lo operado en los mercados leídos',
  'follow.bar_all': 'todo',
  'follow.bar_from': 'desde {sol}',
  'follow.bar_off': 'sin avisos',
  'follow.notices': 'Avisos: {bar}',
  'follow.no_trades': 'Nada desde que la sigues',
  'follow.row_buy': '{at} 🟢 {amount} {symbol}{paid}',
  'follow.row_sell': '{at} 🔴 {amount} {symbol}{paid}',
  'follow.row_back': '{at} anulada: {amount} {symbol}{paid}',
  'follow.some': 'algo de',
  'follow.for': 'por',
  'follow.sure': '¿Dejar de seguir «{label}»? Sus avisos terminan.',
  'follow.told_buy': '🟢 {label} compró {amount} {symbol}{paid}',
  'follow.told_sell': '🔴 {label} vendió {amount} {symbol}{paid}',
  'follow.told_back': '{label}: la red anuló la operación de {amount} {symbol}{paid}. No ocurrió.',
  'follow.digest': '{label} hizo {count} operaciones más en esa hora. Después de 20 solo las cuento.',
  'follow.ask_wallet': '¿Qué cartera quieres seguir? Envía su dirección.',
  'follow.ask_name': 'Ponle un nombre de {max} letras como máximo.',
  'follow.ask_label': '¿Qué nombre le pones? Como máximo 20 letras.',
  'follow.ask_least':
    '¿Desde cuánto SOL quieres avisos? Envía un número, como 0,5. 0 son todas las operaciones.',
  'btn.following': 'Siguiendo',
  'btn.follow_new': 'Seguir una cartera',
  'btn.follow_notices_on': 'Avisos ✓',
  'btn.follow_notices_off': 'Avisos: no',
  'btn.follow_least': 'Desde…',
  'btn.follow_remove': 'Quitar',
  'toast.unfollowed': 'Quitada',
} satisfies Catalogue;
