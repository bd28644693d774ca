import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Comprar al instante lo que se pega. */
export const esAutoBuy = {
  'btn.autobuy_plain': 'Autocompra',
  'autobuy.title_on': 'La compra automática está ACTIVADA',
  'autobuy.title_off': 'La compra automática está desactivada',
  'autobuy.what':
    'Cuando está activada y me envías solo la dirección de un token, lo compro al instante por <b>{sol}</b>, sin preguntar. Como mucho {day} en 24 horas; nunca si movería el precio más de un {impact}.',
  'autobuy.never':
    'Nunca compra un token con un aviso, uno que compraste en las últimas 24 horas, ni una dirección dentro de una frase, bajo una imagen, detrás de un enlace o en un mensaje que no escribiste aquí. Entonces recibes su ficha y el motivo.',
  'autobuy.rules':
    'Tu deslizamiento, tu tope de gasto y tu PIN siguen igual: lo que pediría el PIN no se compra así.',
  'autobuy.paper': 'Estás en modo de papel: mientras siga encendido, así no se compra nada.',
  'autobuy.sure':
    '<b>¿Activar la compra automática?</b>\nDesde entonces una dirección pegada te cuesta {sol} al instante, hasta {day} en 24 horas. Los tokens nuevos a menudo lo pierden todo en horas.',
  'autobuy.ask_amount': '¿De cuánto SOL debe ser una compra? Envía un número, como 0,2.',
  'autobuy.not': '<b>No se compró:</b> {why}',
  'autobuy.why.not-exact': 'la compra automática solo acepta la dirección de un token, o un enlace a él.',
  'autobuy.why.borrowed':
    'la compra automática no compra nada de mensajes reenviados, citados o escritos por otro bot.',
  'autobuy.why.late': 'tu mensaje esperó más de un minuto, y el precio ya es otro.',
  'autobuy.why.bought-before': 'compraste este token en las últimas 24 horas.',
  'autobuy.why.warned': 'el token tiene un aviso. Léelo abajo.',
  'autobuy.why.impact': 'movería el precio más de un {max}.',
  'autobuy.why.day': 'la compra automática gastaría más de {sol} en 24 horas.',
  'autobuy.why.cap': 'las órdenes y la compra automática no pueden gastar más en estas 24 horas.',
  'autobuy.why.sending-down': 'el envío protegido no responde. Usa los botones de abajo.',
  'autobuy.why.pin': 'esta compra pide tu PIN. Usa los botones de abajo.',
  'btn.autobuy_amount': 'Escribir una cantidad',
  'btn.autobuy_day': '{sol} al día',
  'btn.autobuy_impact': 'Impacto ≤ {percent}',
  'btn.autobuy_on': 'Activar…',
  'btn.autobuy_off': 'Desactivar',
  'btn.autobuy_yes': 'Activar la compra automática',
} satisfies Catalogue;
