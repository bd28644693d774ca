import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Lo que quien invita puede comprobar línea por línea, enlaces de campaña y el código propio. */
export const esReferral = {
  'referral.title': '<b>Referidos</b> · código {code} (activo desde {day})',
  'referral.created': 'Tu cuenta de referidos está abierta.',
  'referral.rule':
    'Ganas el {percent} de las comisiones de operaciones, tokens nuevos y lanzamientos de quienes empezaron con tu enlace. Se paga en SOL a {wallet}.',
  'referral.no_payout_wallet': 'una cartera que crees aquí',
  'referral.counts': 'Invitados {invited} · activos {active} · volumen de 30 días {volume}',
  'referral.sums': 'Ganado {earned}{usd} · pagado {paid} · en camino {pending}',
  'referral.payout': 'Se paga en cuanto tu cartera puede recibirlo.',
  'referral.last': 'Último pago {at}: {signature}',
  'referral.qr_caption': 'Tu enlace de invitación\n{link}',
  'referral.share_text': 'Compra y vende tokens de Solana en Telegram',

  'btn.ledger': 'Libro',
  'btn.uncounted': 'No contado',
  'btn.campaigns': 'Enlaces de campaña',
  'btn.custom_code': 'Código propio',
  'btn.csv': 'CSV',
  'btn.new_campaign': 'Enlace nuevo',
  'btn.code_yes': 'Tomar {code}',
  'ask.code': 'De 3 a 12: A-Z 0-9 -',
  'ask.tag': 'De 1 a 16: A-Z 0-9 -',

  'referral.wait': 'Esperan {sol}: {why}',
  'wait.imported-only':
    'tus carteras son importadas, y quien te dio una clave también la tiene. Se guarda hasta que crees una cartera aquí.',
  'wait.no-wallet': 'no tienes cartera de depósito. Se guarda hasta que crees una.',
  'wait.below-rent':
    'tu cartera tendría menos de lo que una cuenta de Solana debe tener. Con {missing} más, ganado o depositado, se paga.',
  'wait.above-cap':
    'es más que los {cap} que el servicio paga en un día. El operador tiene que dejarlo pasar.',
  'wait.below-minimum': 'se paga a partir de {minimum}.',
  'wait.paused': 'el operador ha pausado los pagos. No se pierde nada.',
  'wait.next': 'va en el próximo pago.',
  'wait.in-flight': 'enviado, y definitivo en un momento.',

  'ledger.title':
    '<b>Libro de referidos</b>\nUna línea por parte, la más nueva primero. Cualquiera puede buscar las firmas.',
  'ledger.none': 'Ninguna operación de un invitado es definitiva todavía.',
  'ledger.row': '{at} · invitado {invitee} · {kind} {receipt}\ncomisión {fee} → tuyo {share}\n{payout}',
  'ledger.paid': 'pagado en {signature}',
  'ledger.batched': 'en un pago que aún no es definitivo',
  'ledger.accrued': 'espera el próximo pago',
  'ledger.csv': 'Cada parte hasta ahora, en lamports.',
  'kind.buy': 'compra',
  'kind.sell': 'venta',
  'kind.create-token': 'token',
  'kind.launch': 'lanzamiento',

  'uncounted.title': '<b>No contado</b>\nLo que tus invitados hicieron y no trajo ninguna parte, y por qué.',
  'uncounted.none': 'Todo lo que hicieron tus invitados se contó.',
  'uncounted.row': '{at} · invitado {invitee} · {kind} {receipt}: {why}',
  'uncounted.not-final': 'aún no es definitivo. Cuenta cuando lo sea.',
  'uncounted.not-landed': 'no ocurrió, así que no hubo comisión.',
  'uncounted.no-fee': 'ninguna comisión llegó al servicio, así que no hay nada que repartir.',
  'uncounted.too-small': 'tu parte sería menos de un lamport.',

  'campaigns.title':
    '<b>Enlaces de campaña</b>\nUn enlace con etiqueta se cuenta aparte; la parte es la misma.',
  'campaigns.none': 'Nadie ha venido todavía por un enlace con etiqueta.',
  'campaigns.row': '{tag}: invitados {invited} · activos {active} · ganado {earned}',
  'campaigns.ask': '¿Qué etiqueta? De 1 a 16 letras, cifras o «-», sin espacios.',
  'campaigns.bad': 'Se esperan de 1 a 16 de A–Z, 0–9 y «-».',
  'campaigns.made': 'Tu enlace para {tag}\n{link}',

  'code.ask': '¿Qué código? De 3 a 12 letras, cifras o «-». Mayúsculas y minúsculas son lo mismo.',
  'code.confirm':
    '<b>¿Tomar el código {code}?</b>\nTu código anterior {old} deja de funcionar en el acto: quien abra un enlace antiguo ya no queda vinculado a ti. Quienes ya lo están, siguen.',
  'code.done': 'Tu código es {code} ahora. Comparte el enlace nuevo.',

  'err.code_shape': 'Se esperan de 3 a 12 de A–Z, 0–9 y «-», con letra o cifra en ambos extremos.',
  'err.code_reserved': 'Ese código está reservado. Elige otro, por favor.',
  'err.code_taken': 'Alguien tiene o tuvo ese código. Elige otro, por favor.',
  'err.code_same': 'Ese ya es tu código.',
  'err.code_voucher': 'Elegir un código pide un vale de la tienda de puntos.',
} as const satisfies Catalogue;
