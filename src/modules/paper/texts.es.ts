import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Modo de papel: cotizaciones reales, dinero de mentira. Cada título dice PAPEL. */
export const esPaper = {
  'btn.try_paper': 'Probar en papel',
  'btn.leave_paper': 'Salir del modo de papel',
  'btn.paper_reset': 'Empezar otra vez con {sol}',
  'btn.paper_plain': 'Demo',
  'btn.paper_home': 'Posiciones en papel',
  'btn.paper_buy': 'Comprar en papel',
  'btn.paper_sell': 'Vender en papel',

  'paper.title': '<b>PAPEL</b> · dinero de mentira',
  'paper.intro':
    'Precios reales, dinero de mentira: empiezas con {sol}. No se firma ni se envía nada, y nada de esto se puede retirar. Envíame el nombre, el $SÍMBOLO o la dirección de un token.',
  'paper.balance': 'Efectivo {sol}{usd}',
  'paper.row': '<b>{symbol}</b> {amount} · vendido ahora {worth} · {change}',
  'paper.row_unknown': '<b>{symbol}</b> {amount} · ahora sin mercado · pagado {cost}',
  'paper.none': 'Aún no hay tokens.',
  'paper.total': 'En total {sol} · {change} desde el principio',
  'paper.token': '<b>PAPEL</b> · <b>{name}</b> ({symbol}) · {mint}',
  'paper.price': '{price} · {change} 24 h',
  'paper.hold': 'Tienes {amount} {symbol} en papel',
  'paper.confirm_buy': '<b>PAPEL · ¿Comprar {symbol} con {sol}?</b>',
  'paper.confirm_sell': '<b>PAPEL · ¿Vender {amount} {symbol}?</b>',
  'paper.about': 'Recibes unos {amount}',
  'paper.fees': 'Comisiones como en una operación real: {platform} para este servicio, {network} para la red',
  'paper.settles': 'Cuenta al precio del momento en que confirmes. No se firma ni se envía nada.',
  'paper.bought':
    '<b>PAPEL · Comprados {amount} {symbol} por {sol}</b>\nDinero de mentira: no se firmó ni se envió nada.',
  'paper.sold':
    '<b>PAPEL · Vendidos {amount} {symbol} por {sol}</b> · {change}\nDinero de mentira: no se firmó ni se envió nada.',
  'paper.full': 'Tu libro de papel ya tiene {max} tokens. Vende antes uno de ellos.',
  'paper.unknown':
    '<b>PAPEL</b>\nNo encontré ningún token para eso. Envíame su nombre, $SÍMBOLO o dirección.',
  'paper.on':
    '<b>El modo de papel está encendido.</b> Los tokens se abren con dinero de mentira; no se firma ni se envía nada.',
  'paper.reset_sure': '<b>PAPEL</b>\n¿Olvidar todas las operaciones en papel y empezar otra vez con {sol}?',
} as const satisfies Catalogue;
