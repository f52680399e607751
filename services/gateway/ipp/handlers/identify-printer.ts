import { keyword } from '@platen/ipp/typed.ts'
import { getCredentialId } from '../../caller.ts'
import type { IppOperationRow } from '../operation.ts'
import { IppRefusal } from '../refusal.ts'

/** The printer is far from the service, which can only write the request to its log. */
export const identifyPrinter: IppOperationRow = {
  name: 'Identify-Printer',
  handle:
    ({ log }) =>
    async ({ operationAttributes, target, caller }) => {
      const actions = operationAttributes.all('identify-actions') ?? ['display']
      const unsupported = actions.filter((action) => action !== 'display')
      if (unsupported.length > 0)
        throw new IppRefusal('client-error-attributes-or-values-not-supported', 'identify-actions must be display.', {
          'identify-actions': unsupported.map((action) => keyword(String(action).slice(0, 255))),
        })
      log.info(
        { [target.isDestination ? 'destination_id' : 'printer_id']: target.id, api_key_id: getCredentialId(caller) },
        'a computer identifies the printer',
      )
      return {}
    },
}
