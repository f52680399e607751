import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLive } from '../../api/live.tsx'
import { organizationQuery } from '../../api/queries.ts'
import type { Printer } from '../../api/resources.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'

/** Whether computers can print by IPP in this organization. Undefined until it is loaded. */
export const usePermission = (): boolean | undefined => useQuery(organizationQuery(useLive())).data?.allowsPrintAccess

/** Says that an owner has to permit print accesses first, and lets an owner do it. */
export function PermitOrganization() {
  const live = useLive()
  const { isPermitted, send } = live
  const queryClient = useQueryClient()
  const permit = useMutation({
    mutationFn: () => send((api) => api.PATCH('/account/organization', { body: { allowsPrintAccess: true } })),
    onSuccess(changed) {
      queryClient.setQueryData(organizationQuery(live).queryKey, changed)
      announce('Computers can print on shared printers')
    },
  })
  return (
    <Step
      text="Printing from computers is not permitted yet. An owner permits it for the organization."
      action={isPermitted('updateOrganization') && 'Permit it'}
      mutation={permit}
    />
  )
}

/** Says which printers are not shared, and lets an admin share them. */
export function SharePrinters({ printers }: { printers: Printer[] }) {
  const { isPermitted, mode, send, resources } = useLive()
  const names = printers.map(({ displayName }) => displayName).join(', ')
  const isOne = printers.length === 1
  const share = useMutation({
    async mutationFn() {
      for (const { id } of printers) {
        const changed = await send((api) =>
          api.PATCH('/v1/printers/{id}', { params: { path: { id } }, body: { shared: true } }),
        )
        resources.put('printer', changed as Printer)
      }
      return names
    },
    onSuccess: (shared) => announce(`Shared in ${mode} mode: ${shared}`),
  })
  return (
    <Step
      text={
        isOne
          ? `${names} is not shared. An owner or admin shares it with those who have a print access.`
          : `These printers are not shared: ${names}. An owner or admin shares them with those who have a print access.`
      }
      action={isPermitted('updatePrinter') && (isOne ? 'Share the printer' : 'Share the printers')}
      mutation={share}
    />
  )
}

interface StepProps {
  text: ReactNode
  /** False for those who may not do it. */
  action: string | false
  mutation: { mutate(): void; isPending: boolean; error: Error | null }
}

function Step({ text, action, mutation }: StepProps) {
  return (
    <div className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-sm">
      <p>{text}</p>
      {action && (
        <div>
          <Button disabled={mutation.isPending} onClick={() => mutation.mutate()}>
            {action}
          </Button>
        </div>
      )}
      {mutation.error && <ErrorPanel title={`“${action}” failed`} error={mutation.error} />}
    </div>
  )
}
