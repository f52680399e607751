import { SignOutButton } from './sign-out-button.tsx'

export function NoOrganization({ email }: { email: string }) {
  return (
    <main className="mx-auto flex max-w-md flex-col gap-4 p-8">
      <h1 className="text-xl font-semibold">No organization</h1>
      <p>{email} is not a member of an organization any more. Ask an owner for an invitation.</p>
      <div>
        <SignOutButton />
      </div>
    </main>
  )
}
