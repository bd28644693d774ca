import type { enPositions } from './texts.en.ts';

export const esPositions: Record<keyof typeof enPositions, string> = {
  'btn.clean_up': 'Limpiar {count}',
  'btn.clean_up_yes': 'Cerrar {count} y recuperar {sol}',
  'cleanup.ask':
    '<b>Limpiar {wallet}</b>\nCuentas de tokens vacías: {count}. Cada una guarda un depósito que pidió la red; al cerrar vuelven\n<b>{sol}</b>{usd}\nComisión de red como mucho {fee}. Si vuelves a comprar uno de esos tokens, su cuenta se abre otra vez con el mismo depósito.',
  'cleanup.ask_excess':
    '<b>Limpiar {wallet}</b>\nVuelven <b>{sol}</b>{usd}. Comisión de red como mucho {fee}.',
  'cleanup.excess': 'Cuentas que se quedan y devuelven lo que la red ya no pide: {count}.',
  'btn.take_excess': 'Recuperar {sol}',
  'cleanup.more': 'Para la próxima vez: {count}.',
  'cleanup.kept': 'Se quedan: {count}. Solo otra persona puede cerrarlas, o su saldo es confidencial.',
  'cleanup.nothing':
    'Ninguna cuenta de tokens de esta cartera está vacía ni guarda más que su depósito: no hay nada que limpiar.',
  'result.cleaned_up': '<b>Cuentas vacías cerradas: {count} · volvieron {sol}</b> ({state})',
  'result.took_excess': '<b>Volvieron {sol} de depósitos</b> ({state})',
  'receipt.took_excess': 'Volvieron {sol} de depósitos',
  'receipt.cleaned_up': 'Cuentas vacías cerradas: {count} · volvieron {sol}',
  'btn.positions': 'Posiciones',
  'btn.hidden_positions': 'Ocultas {count}',
  'btn.portfolio': 'Gráfico',
  'btn.pnl_card': 'Tarjeta',
  'btn.hide': 'Ocultar',
  'btn.show_position': 'Mostrar',

  'positions.title': '<b>Posiciones</b> · {wallet} · {count}{page}',
  'positions.none': 'Aún no hay nada. Pega la dirección de un token para comprarlo.',
  'positions.row': '{number} {symbol} {net}{change}{guards}',
  'positions.no_market': 'n/a · sin mercado',
  'positions.week': '7 días {realized} · costes {fees}',
  'positions.under_way': 'En camino, sin contar: {count}',
  'positions.not_final': 'Contadas, aún no finales: {count}',
  'positions.hidden_title':
    '<b>Posiciones ocultas</b>\nTokens que nadie pidió, que valen menos de $1 o que ocultaste tú. No entran en ninguna suma. Hay extraños que envían tokens para tentarte: no confíes en sus nombres ni enlaces.',

  'position.title': '{symbol} · {units} · {mint}',
  'position.title_not_final': '{symbol} · {units} · {mint} · no final',
  'position.if_sold': 'Si vendes: {worth}{sol}',
  'position.no_market': 'Si vendes: n/a · sin mercado',
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
  'positions.worth': '{net}{sol}{rest} · hoy {today}',
  'positions.unpriced': ' + {count} n/a',
  'positions.not_priced': 'n/a · ábrela para ver su precio',
  'position.not_priced': 'Si vendes: n/a',
  'position.entry': 'Entrada {entry}',
  'position.entry_now': 'Entrada {entry} → ahora {now}',
  'position.paid_taken': 'Pagado {paid} · cobrado {taken}',
  'position.held': 'En cartera {time} · costes dentro',
  'position.paid': 'Pagado {paid} · ventas {realized}',
  'position.no_guard': 'Sin TP ni SL',
  'position.none_of': 'sin {mark}',
};
