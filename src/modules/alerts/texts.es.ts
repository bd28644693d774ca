import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Alertas de precio. */

export const esAlerts = {
  'err.alert_not_found': 'Ya no tienes esa alerta.',
  'alert.refused.too_many': 'Tienes {max} alertas, que es el máximo. Quita una antes.',
  'alert.form': 'Alerta de precio · {symbol}',
  'alert.now': 'Precio ahora {price}.',
  'alert.choose': '¿A qué precio te escribo? Elige uno o escríbelo.',
  'alert.wish_above': 'Te escribo cuando el precio suba a <b>{price}</b> ({request}).',
  'alert.wish_below': 'Te escribo cuando el precio baje a <b>{price}</b> ({request}).',
  'alert.once': 'Una vez, en los próximos 30 días.',
  'alert.every': 'Cada vez, como mucho una vez por hora, durante 30 días.',
  'alert.there_above':
    'El precio ya está por encima. Primero tiene que bajar de ahí, y te aviso cuando vuelva a subir.',
  'alert.there_below':
    'El precio ya está por debajo. Primero tiene que subir de ahí, y te aviso cuando vuelva a bajar.',
  'alert.no_money': 'Una alerta no compra ni vende nada.',
  'alert.ask_price':
    '¿A qué precio de un token? Envía 0.00042 (SOL), $0.3, -20%, 2x o una capitalización como 420K.',
  'alert.told_above': '🔔 {symbol} subió a <b>{seen}</b>. Pediste {price} ({request}).',
  'alert.told_below': '🔔 {symbol} bajó a <b>{seen}</b>. Pediste {price} ({request}).',
  'alert.ended': '🔕 Pasaron 30 días: ya no vigilo si {symbol} llega a <b>{price}</b> ({request}).',
  'alerts.title': 'Alertas de precio',
  'alerts.none': 'Sin alertas. Abre un token y toca Alerta.',
  'alerts.row_above': '{symbol} sube a {price} ({request})',
  'alerts.row_below': '{symbol} baja a {price} ({request})',
  'alerts.once': 'una vez',
  'alerts.every': 'cada vez',
  'alerts.back_above': 'después de haber estado por debajo',
  'alerts.back_below': 'después de haber estado por encima',
  'alerts.until': 'hasta {day}',
  'alerts.how': 'Un precio cuenta si se mantuvo 0.8 s; una operación suelta no avisa de nada.',
  'btn.alert': 'Alerta',
  'btn.alerts': 'Alertas',
  'btn.alert_price': 'Escribir un precio',
  'btn.alert_above': 'Sube hasta ahí',
  'btn.alert_below': 'Baja hasta ahí',
  'btn.alert_once': 'Una vez',
  'btn.alert_every': 'Cada vez',
  'btn.alert_place': 'Poner la alerta',
  'btn.alert_place_back': 'Poner la alerta para cuando vuelva',
  'btn.alert_remove': 'Quitar {number}',
  'btn.alert_again': 'Avísame otra vez',
  'toast.alert_placed': 'Alerta puesta',
  'toast.alert_removed': 'Alerta quitada',
  'toast.alert_again': 'Alerta puesta otra vez',
} satisfies Catalogue;
