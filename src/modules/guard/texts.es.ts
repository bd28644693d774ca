import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Protección de los retiros: PIN, libreta, tope, congelar, copias. */
export const esGuard = {
  'err.pin_required': 'Primero pon un PIN: sin él no sale nada.',
  'err.pin_shape': 'Un PIN tiene exactamente 6 cifras, por ejemplo 4 0 9 2 7 1 todas juntas.',
  'err.pin_code':
    'Tu prueba es el PIN y las seis cifras de tu autenticador, por ejemplo 409271 123456. Un código de recuperación puede ocupar el lugar de las cifras. Necesito ambos en un mensaje.',
  'err.factors_wrong': 'PIN o código incorrecto, o un código ya usado. Intentos que quedan: {left}.',
  'err.pin_weak': 'Ese PIN es de los primeros que cualquiera probaría. Elige otro, por favor.',
  'err.code_wrong': 'Código incorrecto, o ya usado. Intentos que quedan: {left}.',
  'err.pin_wrong': 'PIN incorrecto. Intentos que quedan: {left}.',
  'err.pin_locked': 'Demasiados PIN incorrectos. Puedes probar de nuevo después de {until}.',
  'err.frozen': 'Todo está congelado. Desbloquéalo en Seguridad.',
  'err.frozen_until': 'Todo está congelado. Se desbloquea a las {until}.',
  'err.address_gone': 'Esa dirección ya no está en la libreta de esta cartera. No se envió nada.',
  'err.address_not_ready': 'Esa dirección se puede usar después de {until}. No se envió nada.',
  'err.address_book_full': 'Una cartera guarda {max} direcciones como máximo. Quita una primero.',
  'err.daily_cap':
    'Son {needed}, y de tus {cap} por 24 horas quedan {available}. En Seguridad se puede subir el tope.',
  'err.unpriced':
    'Ningún mercado dice cuánto vale ese token, así que cuenta como más que tu tope. Con un autenticador, que se añade en Seguridad, puedes enviarlo de todos modos.',
  'err.daily_count':
    'Los tokens sin precio se pueden retirar {max} veces en 24 horas. Espera, o vende antes el token.',
  'err.act_limit': 'Eso se puede hacer {max} veces en {time}. La próxima vez, después de {until}.',
  'err.key_unreadable':
    'Eso no es una clave privada de Solana. Se espera texto base58, una lista JSON de 64 números o un archivo de copia.',
  'err.wallet_known': 'Este servicio ya guarda esa cartera.',
  'err.backup_format': 'Eso no es un archivo de copia que yo sepa leer.',
  'err.backup_passphrase': 'La contraseña no abre este archivo, o el archivo fue cambiado.',
  'err.passphrase': 'La contraseña necesita de {min} a {max} caracteres.',

  'btn.security': 'Seguridad',
  'btn.set_pin': 'Poner un PIN',
  'btn.change_pin': 'Cambiar el PIN',
  'btn.address_book': 'Libreta',
  'btn.daily_cap': 'Tope diario',
  'btn.freeze': 'Congelar todo',
  'btn.unfreeze': 'Desbloquear',
  'btn.block_freeze': 'Bloquear y congelar',
  'btn.cancel_withdrawal': 'Cancelar el retiro',
  'btn.add_address': 'Añadir dirección',
  'btn.remove_address': 'Quitar {name}',
  'btn.back_up': 'Copia',
  'btn.import': 'Importar cartera',

  'btn.stop_changes': 'No he sido yo',
  'guarded.pin_set': '<b>Se ha puesto un PIN</b> en esta cuenta.',
  'guarded.pin_change': '<b>Se ha cambiado el PIN.</b>',
  'guarded.factor_add': '<b>Se está añadiendo un autenticador.</b>',
  'guarded.factor_codes': '<b>Se han pedido códigos de recuperación nuevos.</b>',
  'guarded.factor_end':
    '<b>Se está quitando el autenticador.</b> Un código correcto antes de esa hora lo anula.',
  'guarded.factor_end_operator':
    '<b>Se pidió al operador quitar tu autenticador.</b> Un código correcto antes de entonces lo anula.',
  'guarded.freeze_end_operator': '<b>El operador quitó el bloqueo.</b> El dinero puede moverse de nuevo.',
  'guarded.cap_raise': '<b>Se ha pedido un límite más alto.</b>',
  'guarded.freeze_end': '<b>Se ha pedido el fin del bloqueo.</b>',
  'guarded.notice_mail': '<b>Se está cambiando el correo de avisos.</b>',
  'guarded.counts_at': 'Cuenta a partir de {at}.',
  'guarded.stop':
    'Si no has sido tú, detenlo: todo se congela al momento y se retira lo que aún no ha tenido efecto.',
  'setting.slippage_pin':
    'Un deslizamiento superior al 15\u202f% permite que una operación dé mucho menos. Escribe tu PIN para permitirlo.',
  'autobuy.pin': 'La compra automática gasta sin preguntar. Escribe tu PIN para permitirla.',
  'factor.ends': 'El autenticador se quita a las {at}. Un código correcto antes de esa hora lo anula.',

  'toast.frozen': 'Congelado.',
  'toast.removed': 'Quitada.',
  'toast.removed_stopped': 'Quitada. Retiros hacia ella que esperaban y quedan detenidos: {count}.',

  'security.title': '<b>Seguridad</b>',
  'security.pin_set': 'PIN: puesto',
  'security.pin_missing': 'PIN: aún no. Los retiros y las copias lo necesitan.',
  'security.cap': 'Tope diario {cap} · quedan {left}',
  'security.cap_next': 'Un tope de {cap} rige desde {at}.',
  'security.delay': 'Las direcciones nuevas, un tope más alto y desbloquear esperan {time}.',
  'security.delay_none': 'Las direcciones nuevas, un tope más alto y desbloquear valen aquí al momento.',
  'security.frozen': '<b>Congelado.</b> No se firma nada tuyo. Para desbloquear hace falta tu PIN.',
  'security.frozen_no_pin':
    '<b>Congelado.</b> No se firma nada tuyo. Tu cuenta no tenía un PIN con edad suficiente. Desbloquear no pide PIN y espera {time}. El operador puede desbloquearte antes.',
  'security.unlocking': '<b>Congelado.</b> Se desbloquea a las {at}. Si no lo pediste tú, envía /panic.',
  'btn.notice_mail': 'Correo de avisos',
  'btn.notice_mail_set': 'Poner un correo',
  'btn.notice_mail_change': 'Cambiar el correo',
  'btn.notice_mail_remove': 'Quitar el correo',
  'security.notice_mail': 'Correo de avisos: {mail}',
  'security.notice_mail_fails': '⚠️ El último correo no llegó. Pon una dirección que reciba correo.',
  'security.notice_mail_next': 'Los avisos van a {mail} desde {at}.',
  'security.notice_mail_end': 'Los avisos no van a ningún correo desde {at}.',
  'notice_mail.title': '<b>Correo de avisos</b>',
  'notice_mail.none': 'No hay ningún correo.',
  'notice_mail.what':
    'Cada aviso que puedes detener va también allí, con un enlace a una página con un botón: Detener. Quien robe este chat no te lo puede quitar en un día.',
  'notice_mail.no_server':
    'El operador de este servicio no ha configurado el correo, así que no se puede poner ninguno.',
  'notice_mail.ask': 'Escribe el correo para los avisos, por ejemplo tu@example.org.',
  'notice_mail.pin': 'Los avisos van a {mail}. Escribe tu PIN. Tu mensaje se borra al momento.',
  'notice_mail.remove_pin': 'Escribe tu PIN para quitar el correo de avisos. Tu mensaje se borra al momento.',
  'notice_mail.code': 'Se envió un código a {mail}. Escríbelo aquí en {minutes} minutos.',
  'notice_mail.code_wrong':
    'Ese no es el código para {mail}, o tiene más de {minutes} minutos. Intentos que quedan esta hora: {left}.',
  'notice_mail.done': 'Los avisos van a {mail} desde ahora.',
  'notice_mail.waits': 'Los avisos van a {mail} desde {at}. Hasta entonces puedes detener el cambio.',
  'notice_mail.removed': 'Los avisos ya no van a ningún correo.',
  'notice_mail.removal_waits':
    'Los avisos no van a ningún correo desde {at}. Hasta entonces puedes detener el cambio.',
  'notice_mail.err_shape':
    'Ese correo no se puede usar. Se espera una sola dirección como tu@example.org, con letras sencillas y sin acentos.',
  'notice_mail.err_same': 'Los avisos ya van a ese correo.',
  'notice_mail.err_no-server':
    'El operador de este servicio no ha configurado el correo, así que no se puede enviar ningún código.',
  'mail.hello': 'Hola:',
  'mail.code_subject': 'Tu código para los avisos de Tradepost',
  'mail.code': 'Alguien, seguramente tú, quiere los avisos de Tradepost en este correo. Este es el código:',
  'mail.code_where': 'Escríbelo en el chat en {minutes} minutos. No sirve en otro lugar, y solo una vez.',
  'mail.code_not_you': '¿No has sido tú? No hagas nada: sin el código no cambia nada.',
  'mail.stop_subject': 'Tradepost: puedes detener esto',
  'mail.stop_page': '¿No has sido tú? Abre esta página y pulsa el botón:',
  'mail.stop_if_you': 'Si has sido tú, no hagas nada. Abrir la página no cambia nada.',
  'mail.stop_until': 'El enlace sirve hasta {at}, y solo una vez. No se pide el PIN.',
  'mail.export_asked':
    'Se pidió un archivo con la clave de la cartera {wallet} ({address}). Desde {at} se puede recoger, con el PIN. Abre todo lo que hay en la cartera.',
  'mail.export_ready':
    'El archivo con la clave de la cartera {wallet} ({address}) está listo. Se puede recoger hasta {at}, con el PIN. Abre todo lo que hay en la cartera.',
  'mail.imported': 'Se importó la cartera {wallet} ({address}).',
  'mail.wallet-confirm-asked':
    'Se confirmó la cartera importada {wallet} ({address}). Desde {at} pueden llegar allí depósitos y pagos.',
  'mail.payout-wallet-asked': 'Los pagos se dirigieron a la cartera {wallet} ({address}). Cuenta desde {at}.',
  'mail.withdrawal': 'Se confirmó un retiro a la dirección nueva {address}. Sale solo a las {at}.',
  'mail.way_changes': 'Detener congela todo al momento y retira lo que aún no ha tenido efecto.',
  'mail.way_freeze': 'Detener congela todo al momento.',
  'mail.way_export': 'Detener deja la clave aquí. No se podrá pedir otro archivo durante {time}.',
  'mail.way_export_now': 'Detener deja la clave aquí.',
  'mail.way_withdrawal': 'Detener anula este retiro.',
  'mail.stop_button': 'Detener',
  'mail.page_open': '¿Quieres detener esto?',
  'mail.page_stopped': 'Detenido',
  'mail.did_changes':
    'Todo está congelado, y se retiró lo que no había tenido efecto. Desbloquea en Seguridad, en el chat.',
  'mail.did_freeze': 'Todo está congelado. Desbloquea en Seguridad, en el chat.',
  'mail.did_export': 'La clave no salió. Si no la pediste tú, envía /panic en el chat y cambia tu PIN.',
  'mail.did_withdrawal': 'El retiro se anuló. No salió nada.',
  'mail.page_over': 'Ya no hay nada que detener',
  'mail.page_over_why': 'Esto ya tuvo efecto, terminó o se detuvo antes. El chat lo muestra en Seguridad.',
  'mail.page_used': 'Ya está detenido',
  'mail.page_used_why': 'Este enlace ya se usó. Si algo vuelve a ir mal, envía /panic en el chat.',
  'mail.page_gone': 'Este enlace no se conoce',
  'mail.page_gone_why':
    'No está completo, o es demasiado antiguo. El chat muestra en Seguridad lo que se puede detener.',
  'security.panic': '/panic lo congela todo con un toque.',
  'security.pin_new': 'Escribe un PIN nuevo de 6 cifras. Tu mensaje se borra al momento.',
  'security.pin_again': 'Escribe el mismo PIN otra vez.',
  'security.pin_differs': 'No eran iguales. Escribe un PIN nuevo de 6 cifras.',
  'security.pin_old': 'Escribe tu PIN actual. Tu mensaje se borra al momento.',
  'security.pin_done':
    '<b>El PIN está puesto.</b> No se lo digas a nadie: nadie de este servicio lo pide, y no se puede volver a leer.',
  'security.pin_changed':
    '<b>El PIN ha cambiado.</b> Las direcciones esperan de nuevo, y los retiros que esperaban se cancelaron.',
  'security.ask_cap':
    'Tu tope diario en SOL, por ejemplo 2,5. Bajarlo vale al momento; subirlo hace esperar.',
  'security.cap_pin': 'Un tope de {cap}: escribe tu PIN. Tu mensaje se borra al momento.',
  'security.cap_done': 'Tu tope diario es {cap}.',
  'security.cap_waits': 'Tu tope diario será {cap} desde {at}.',
  'security.unfreeze_pin': 'Escribe tu PIN para desbloquear. Tu mensaje se borra al momento.',
  'security.unfrozen': '<b>Desbloqueado.</b>',
  'security.unfreeze_waits': 'El desbloqueo vale desde {at}. /panic lo detiene.',
  'ask.cap': 'SOL, como 2,5',

  'panic.done':
    '<b>Congelado.</b> Ya no se firma nada tuyo. Lo que ya se envió no se puede recuperar.\nRetiros detenidos: {count}.',
  'panic.unlock_pin': 'Desbloquéalo en Seguridad con tu PIN.',
  'panic.unlock_no_pin':
    'Tu cuenta no tenía un PIN con edad suficiente. Desbloquea en Seguridad sin PIN: la espera es de {time}. Cada nuevo /panic detiene esa espera. El operador puede desbloquearte antes.',

  'secret.expired':
    'Eso tardó demasiado y olvidé la pregunta. Borré tu mensaje. Empieza de nuevo, por favor.',
  'secret.unasked':
    'Borré tu mensaje porque parecía un PIN, y ahora nada lo pide. Si estabas en medio de algo, empieza de nuevo, por favor.',
  'secret.key_seen':
    'Eso parecía una clave privada, así que borré tu mensaje. Otros pueden haberla visto: si lo era, mueve lo que guarda a una cartera nueva.',
  'secret.text_only':
    'Eso no es texto, así que lo borré. Mi pregunta sigue abierta: escribe la respuesta o toca Cancelar.',
  'secret.borrowed': '{why} Lo borré. Mi pregunta sigue abierta: escribe tú la respuesta o toca Cancelar.',
  'secret.delete_yourself': 'No pude borrar tu mensaje. Bórralo tú ahora, por favor.',

  'book.title': '<b>Libreta de {wallet}</b>',
  'book.none': 'Aún no hay direcciones. El primer retiro a una dirección la añade.',
  'book.row': '{name} · {address}\n    {state}',
  'book.usable': 'se puede usar',
  'book.waits': 'desde {at}',
  'book.ask_address': '¿A qué dirección de Solana puede pagar {wallet}?',
  'book.ask_name': 'Un nombre para ella, de 1 a {max} caracteres.',
  'book.pin': 'Añadir {name}\n{address}\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'book.added': 'Añadida. Por tu seguridad se puede usar después de {at}.\nSi no fuiste tú, bloquéala.',
  'book.added_now': 'Añadida. Se puede usar ya.',
  'book.blocked':
    '<b>Bloqueada y congelado.</b> La dirección está quitada, lo que la esperaba está cancelado, y no se firma nada tuyo hasta que desbloquees en Seguridad.',
  'ask.address_name': 'Nombre',

  'withdraw.cap': 'Límite diario: quedan {left} de {cap}',
  'withdraw.new_address': 'Dirección nueva: no sale nada antes de {at} UTC.',
  'withdraw.ask_pin': 'Escribe tu PIN: esto se envía al momento. Tu mensaje se borra.',
  'withdraw.ask_pin_later': 'Escribe tu PIN. Tu mensaje se borra al momento.',
  'withdraw.pin_first': 'Primero pon un PIN: cada retiro lo necesita.',
  'withdraw.saved_hint': 'O elige una guardada:',
  'result.waiting':
    '<b>Espera hasta {at}</b>: {address} es nueva.\nEntonces {amount} sale sin más.\nSi no fuiste tú, bloquéala.',

  'notice.wallet_imported':
    'Cartera importada: <b>{wallet}</b>\n{address}\nQuien te dio esta clave también la tiene: aquí no llegan depósitos ni pagos.\nSi no fuiste tú, pulsa Detener: lo congela todo.',
  'notice.wallet_renamed':
    '<b>La cartera {was} se llama ahora {wallet}.</b>\n{address}\nSi no fuiste tú, pulsa Detener: lo congela todo.',
  'notice.wallet_wallet-confirm-asked':
    '<b>Se confirmó la cartera importada {wallet}.</b>\n{address}\nDesde las {at} pueden llegarle depósitos y pagos.\nSi no fuiste tú, detenlo: todo se congela al momento y la cartera no recibe.',
  'notice.wallet_payout-wallet-asked':
    '<b>Los pagos se dirigieron a {wallet}.</b>\n{address}\nCuenta desde las {at}.\nSi no fuiste tú, detenlo: todo se congela al momento y los pagos van adonde iban.',
  'btn.import_stop': '🛑 Detener: congelar',
  'backup.import_pin': 'Escribe tu PIN para importar una cartera. Tu mensaje se borra al momento.',
  'wallets.switch_pin':
    '<b>{name}</b> es importada: quien te dio esta clave también la tiene.\nEscribe tu PIN para operar con ella. Tu mensaje se borra al momento.',
  'backup.choose_passphrase':
    '<b>Copia de {wallet}</b>\nEscribe una contraseña de {min} caracteres o más. Quien tenga el archivo y la contraseña tiene la cartera. Tu mensaje se borra al momento.',
  'backup.differs': 'No eran iguales. Escribe una contraseña de {min} caracteres o más.',
  'backup.pin':
    '<b>Archivo de clave de {wallet}</b>\nQuien tenga el archivo y su contraseña tiene todo lo de esta cartera; por eso va en dos pasos: lo pides ahora y lo recoges al cabo de un día. Hasta entonces un toque lo detiene.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'backup.pin_now':
    '<b>Archivo de clave de {wallet}</b>\nQuien tenga el archivo y su contraseña tiene todo lo de esta cartera.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'backup.both':
    'Ahora en un solo mensaje: tu PIN, un espacio y la misma contraseña otra vez. Tu mensaje se borra al momento.',
  'backup.both_code':
    'Ahora en un solo mensaje: tu PIN, un espacio, el código de tu autenticador, un espacio y la misma contraseña otra vez. Tu mensaje se borra al momento.',
  'backup.both_shape': 'Eso no era un PIN, un espacio y una contraseña.',
  'export.waits':
    '<b>Archivo de clave de {wallet}</b>\n{address}\nListo en {time}, a las {at}.\n¿No fuiste tú? Detenlo: no se pide PIN, y durante un día no se puede pedir otro.',
  'export.ready':
    '<b>Archivo de clave de {wallet}</b>\n{address}\nSe puede recoger hasta {at}. Pide tu PIN y una contraseña.\n¿No fuiste tú? Detenlo: no se pide PIN.',
  'export.none': 'Ningún archivo de clave está en camino.',
  'export.stopped':
    '<b>Detenido.</b> La clave no salió. Nadie puede pedir un archivo de clave antes de {at}.\nSi no fuiste tú quien lo pidió, envía /panic y cambia tu PIN.',
  'export.stopped_now':
    '<b>Detenido.</b> La clave no salió.\nSi no fuiste tú quien lo pidió, envía /panic y cambia tu PIN.',
  'export.too_late':
    'Ningún archivo de clave está en camino, así que no había nada que detener. En Seguridad, «Lo que se hizo» dice si salió alguno.',
  'export.security': 'Se pidió un archivo de clave de {wallet}: listo en {time}',
  'export.security_ready': 'Un archivo de clave de {wallet} se puede recoger ya',
  'notice.export_asked':
    '<b>Se pidió un archivo de clave de {wallet}.</b>\n{address}\nDesde {at} se puede recoger, con el PIN. Quien lo recoja tiene todo lo de esta cartera.\n¿No fuiste tú? Detenlo: no se pide PIN.',
  'notice.export_half':
    '<b>Un archivo de clave de {wallet} está en camino.</b>\n{address}\nSe puede recoger en {time}, desde {at}.\n¿No fuiste tú? Detenlo: no se pide PIN.',
  'notice.export_ready':
    '<b>El archivo de clave de {wallet} está listo.</b>\n{address}\nSe puede recoger hasta {at}, con el PIN.\n¿No fuiste tú? Detenlo: no se pide PIN.',
  'notice.export_taken':
    '<b>La clave de {wallet} salió en un archivo.</b>\n{address}\nSi no fuiste tú, mueve ya a otra cartera lo que tiene.',
  'notice.export_stopped': '<b>El archivo de clave de {wallet} se detuvo.</b>\n{address}\nLa clave no salió.',
  'notice.export_disowned':
    '<b>El archivo de clave de {wallet} se detuvo.</b>\n{address}\nEl firmante no recuerda que lo pidieras. La clave no salió. Pídelo de nuevo si lo quieres.',
  'btn.export_stop': 'Detener',
  'btn.export_stop_security': 'Detener el archivo de clave',
  'btn.export_take': 'Recoger el archivo',
  'err.export_asked': 'El archivo de clave aún no está listo. Se puede recoger desde {until}.',
  'err.export_open': 'Ya hay un archivo de clave en camino. Primero recógelo o detenlo.',
  'err.export_stopped': 'Se detuvo un archivo de clave. Otro se puede pedir después de {until}.',
  'err.export_over':
    'Este archivo de clave terminó: se recogió, se detuvo o nadie lo recogió a tiempo. Pide otro.',
  'backup.caption':
    'Copia de {wallet}. Sin la contraseña no la abre nadie, tampoco nosotros. Cómo abrirla sin este servicio: docs/backup-format.md en el código fuente.',
  'backup.done': 'El archivo está arriba. Guárdalo a él y a la contraseña en dos sitios.',
  'backup.import_key':
    '<b>Importar una cartera</b>\nEnvía su clave secreta como texto (base58 o lista JSON), o un archivo de copia como documento. Tu mensaje se borra al momento.\n\nUna clave que estuvo en un chat pudo ser vista: mejor abre una cartera nueva y mueve el dinero.',
  'backup.import_passphrase': 'Escribe la contraseña del archivo. Tu mensaje se borra al momento.',
  'backup.imported':
    '<b>{wallet}</b> ya está aquí.\n{address}\nQuien te dio esta clave también la tiene: sirve para operar, y aquí no llegan depósitos ni pagos.',

  'security.with_code':
    'Detrás del PIN, un espacio y las seis cifras de tu autenticador, o un código de recuperación.',
  'security.factor_on': 'Autenticador: puesto',
  'security.recovery_left': 'Códigos de recuperación que quedan: {count}',
  'security.factor_ends':
    '<b>El autenticador termina a las {at}</b>: se le pidió al operador. Si no fuiste tú, usa un código antes de esa hora, o /panic.',
  'factor.begin':
    '<b>Añadir un autenticador</b>\nDesde entonces los retiros, las copias y los cambios de aquí necesitan un código suyo además del PIN.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'factor.link':
    '<b>Abre la página, escanea y vuelve.</b>\nEl enlace funciona una vez y durante {minutes} minutos. Quien lo abra ve el secreto, así que ábrelo tú.\n\nApunta allí los códigos de recuperación: la página los muestra una sola vez. Luego escribe las seis cifras que muestra tu autenticador.',
  'factor.renew':
    '<b>Códigos de recuperación nuevos</b>\nDiez códigos para el día en que pierdas el autenticador. Sustituyen a los que tienes.\n\nEscribe tu PIN y un código. Tu mensaje se borra al momento.',
  'factor.renew_link':
    '<b>Abre la página, apunta los códigos y vuelve.</b>\nEl enlace funciona una vez y durante {minutes} minutos. Ábrelo tú.\n\nLuego escribe las seis cifras siguientes que muestre tu autenticador: hasta entonces valen los códigos anteriores.',
  'factor.renewed': '<b>Valen los códigos de recuperación nuevos.</b> Los anteriores ya no.',
  'factor.code': 'Escribe las seis cifras que muestra tu autenticador. Tu mensaje se borra al momento.',
  'factor.done':
    '<b>El autenticador está puesto.</b>\nTu prueba es ahora el PIN y un código en un mensaje, como 409271 123456. Si pierdes el autenticador, escribe un código de recuperación en lugar de las seis cifras: cada uno vale una vez. Si tampoco los tienes, el operador puede terminarlo al cabo de un día.',
  'factor.end': '<b>Quitar el autenticador</b>\nEscribe tu PIN y un código. Tu mensaje se borra al momento.',
  'factor.ended': 'El autenticador está quitado. Vuelve a bastar el PIN.',
  'factor.no_page':
    'Un autenticador necesita una página en una dirección segura, y este servicio no tiene ninguna. Pide a su operador que ponga PUBLIC_URL.',
  'btn.add_factor': 'Añadir autenticador',
  'btn.change_factor': 'Autenticador nuevo',
  'btn.renew_codes': 'Códigos de recuperación nuevos',
  'btn.remove_factor': 'Quitar autenticador',
  'btn.open_page': 'Abrir la página',
} as const satisfies Catalogue;
