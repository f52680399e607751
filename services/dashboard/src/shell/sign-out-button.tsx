import { sendSignedOut } from '../api/client.ts'
import { Button } from '../ui/button.tsx'

export async function signOut(): Promise<void> {
  await sendSignedOut((api) => api.DELETE('/account/session'))
  // A new page: nothing of the session stays in memory.
  location.assign('/app/signin')
}

export function SignOutButton() {
  return <Button onClick={signOut}>Sign out</Button>
}
