import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Lo que un chat puede gastar, y dónde necesita el PIN. */
export const esSpending = {
  'pin.why.young': 'Nadie puede mostrar que este token tenga un día.',
  'pin.why.home-made': 'Alguien hizo este token con este servicio.',
  'pin.why.poor-exit': 'Una compra de prueba no se pudo revender por el 85\u202f% de lo que costó.',
  'pin.why.steep': 'La venta puede traer menos del 85\u202f% del precio actual.',
  'pin.why.fallen':
    'La venta puede traer menos del 85\u202f% del precio de la última hora, o del de ahora si ocurre más tarde.',
  'pin.why.cap': 'Es más que los {left} de {cap} que aún se pueden gastar ahora sin él.',
  'err.trade_pin': 'Esto necesita tu PIN. {why}',
  'err.spending_limit_all':
    'Son {needed}, y de los {cap} que una persona puede gastar en 24 horas quedan {available}. No se hizo nada.',
  'err.spending_limit_doubted':
    'Son {needed}, y de los {cap} que una persona puede gastar en 24 horas en tokens en duda quedan {available}. No se hizo nada.',
  'err.pin_new':
    'Tu PIN es nuevo: esto funciona después de {until}. Hasta entonces puedes comprar tokens conocidos dentro de tu tope de gasto, y vender.',
  'trade.needs_pin': '<b>Necesita tu PIN.</b> {why}',
  'trade.ask_pin':
    '<b>Esto necesita tu PIN.</b> {why}\n\nEscribe tu PIN. Deja pasar operaciones durante 12 horas, o hasta que toques Bloquear ahora en Seguridad. Tu mensaje se borra al momento.',
  'trade.pin_first':
    '<b>Esto necesita un PIN, y aún no tienes.</b> {why}\n\nElige un PIN: envía 6 cifras ahora. Borro tu mensaje. En una cuenta de menos de un día el PIN confirma esto al momento y cubre 12 horas de operaciones.',
  'security.spend_cap': 'Sin PIN, por 24 horas: {cap} · quedan {left}',
  'security.spend_next': 'Un tope de gasto de {cap} rige desde {at}.',
  'security.open_until': '<b>Las operaciones no piden PIN hasta {at}.</b>',
  'security.trades_locked':
    'Las operaciones mayores, y los tokens nuevos o difíciles de vender, piden el PIN.',
  'security.trades_later': 'Tu PIN es nuevo: deja pasar operaciones después de {at}.',
  'security.ask_spend_cap':
    '¿Cuántos SOL puede gastar este chat en 24 horas sin tu PIN? Por ejemplo 1,5, o 0 para que lo pida siempre. Bajarlo vale al momento; subirlo hace esperar.',
  'security.spend_pin': 'Un tope de gasto de {cap}: escribe tu PIN. Tu mensaje se borra al momento.',
  'security.spend_done': 'Tu tope de gasto es {cap}.',
  'security.spend_waits': 'Tu tope de gasto será {cap} desde {at}.',
  'result.one_moment': 'Un momento. Si aquí no sigue nada, no se hizo nada.',
  'btn.spend_cap': 'Tope de gasto',
  'btn.lock_now': 'Bloquear ahora',
} as const satisfies Catalogue;
