import type { enPositions } from './texts.en.ts';

export const esPositions: Record<keyof typeof enPositions, string> = {
  'btn.clean_up': 'Vacías {count}: vuelven {sol}',
  'btn.clean_up_yes': 'Cerrar {count} y recuperar {sol}',
  'cleanup.ask':
    '<b>Limpiar {wallet}</b>\nCuentas de tokens vacías: {count}. Cada una guarda un depósito que pidió la red; al cerrar vuelven\n<b>{sol}</b>{usd}\nComisión de red como mucho {fee}. Si vuelves a comprar uno de esos tokens, su cuenta se abre otra vez con el mismo depósito.',
  'cleanup.more': 'Para la próxima vez: {count}.',
  'cleanup.kept': 'Se quedan: {count}. Solo otra persona puede cerrarlas, o su saldo es confidencial.',
  'cleanup.nothing': 'Ninguna cuenta de tokens de esta cartera está vacía: no hay nada que limpiar.',
  'result.cleaned_up': '<b>Cuentas vacías cerradas: {count} · volvieron {sol}</b> ({state})',
  'receipt.cleaned_up': 'Cuentas vacías cerradas: {count} · volvieron {sol}',
  'btn.positions': 'Posiciones',
  'btn.hidden_positions': 'Ocultas ({count})',
  'btn.portfolio': 'Imagen de la cartera',
  'btn.pnl_card': 'Tarjeta',
  'btn.hide': 'Ocultar',
  'btn.show_position': 'Mostrar otra vez',
  'btn.sell_other': 'Vender otra parte',
  'btn.buy_again_for': 'Comprar otra vez por {sol} SOL',

  'positions.title': '<b>Posiciones</b> · {wallet}\nSi vendes ahora: {net}{usd} · hoy {today}',
  'positions.none': 'Aún no hay nada. Pega la dirección de un token para comprarlo.',
  'positions.more':
    'y {count} más, de menor coste: pega la dirección de un token para verlo, u oculta alguna de estas',
  'positions.row': '{number}. {symbol} · {net}{change}',
  'positions.no_market': 'n/a, sin mercado',
  'positions.week': 'Últimos 7 días: ganancia de ventas {realized} · comisiones pagadas {fees}',
  'positions.under_way': 'Operaciones en camino, aún sin contar: {count}',
  'positions.not_final': 'Operaciones incluidas que aún no son finales: {count}',
  'positions.method': 'Todo es neto: lo que daría ahora vender todo, descontadas todas las comisiones.',
  'positions.hidden_title':
    '<b>Posiciones ocultas</b>\nTokens que nadie pidió, que valen menos de $1 o que ocultaste tú. No entran en ninguna suma. Hay extraños que envían tokens para tentarte: no confíes en sus nombres ni enlaces.',

  'position.title': '{symbol} · {units}',
  'position.title_not_final': '{symbol} · {units} · no final',
  'position.if_sold': 'Si vendes ahora: {sol}{usd}, descontadas todas las comisiones',
  'position.no_market': 'Si vendes ahora: n/a, sin mercado',
  'position.money':
    'Pagado: {paid}\nResultado abierto: {unrealized}{percent}\nGanancia de ventas hasta ahora: {realized} · en total {total}',
  'position.middle': 'Al precio medio: {mid} · impacto y comisiones {lost}',
  'position.priced_at_receipt': 'Una parte vino de fuera. Su coste es lo que valía al llegar.',
  'position.withdrawn': 'Enviado fuera: {units}',
  'position.taken': 'Quemado, o tomado por el delegado del token: {units}',
  'position.remainder': 'Resto de operaciones que pasaron por aquí, sin coste: {units}',
  'position.adjusted': 'Diferencia con la cadena que ninguna transacción explica: {units}',

  'btn.export': 'Exportar',
  'btn.export_trades': 'Todo (CSV)',
  'btn.export_koinly': 'Para Koinly (CSV)',
  'export.title':
    '<b>Exportar</b>\nCada operación, transferencia y comisión que movió un token en tus carteras, con importes exactos. No se calculan ganancias: cómo se cuentan depende del país. Los depósitos y retiros de SOL mismo no están.',
  'export.trades':
    'Cada movimiento con unidades y lamports exactos. Las horas son UTC. Las últimas columnas son la cantidad como se ve en pantalla y por cuánto la escala el token.',
  'export.koinly':
    'En el formato universal de Koinly. El mint de cada token está en la descripción. Las cantidades son las de la pantalla; el factor de un token que las escala también está allí.',

  'card.if_sold': 'si se vende a las {time} UTC',
  'card.closed': 'posición cerrada',
  'card.footer': 'descontadas todas las comisiones',
  'card.caption': 'Tu resultado, descontadas todas las comisiones. No lleva importes.',
  'portfolio.title': 'Posiciones · {wallet}',
  'portfolio.today': 'hoy {percent}',
  'portfolio.no_days': 'Aún no hay días',
  'portfolio.first_day': 'El primer día: una línea necesita dos',
  'portfolio.rest': 'el resto',
  'portfolio.footer': 'Lo que daría vender cada posición, descontadas todas las comisiones',
  'portfolio.caption': 'Valor neto de tus posiciones, día a día, y de qué se compone.',

  'receipt.rent_back': 'Depósito de la cuenta devuelto: {rent}',
  'result.sold_profit': 'Ganancia: {sol}{usd} · {percent}{part}',
  'result.sold_loss': 'Pérdida: {sol}{usd} · {percent}{part}',
  'result.sold_part': ', de las unidades cuyo coste se conoce',
};
