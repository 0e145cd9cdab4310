export function Badge({ user, children }) {
	const label = user.roles.find((r) => r.main).name; // @here Badge
	return (
		<span className="badge" title={label}>
			{children} <b>{label.toUpperCase()}</b>
		</span>
	);
}

export const BadgeSafe = ({ user }) => {
	const role = user.roles.find((r) => r.main);
	return <span>{role ? role.name : 'none'}</span>; // @here BadgeSafe
};
