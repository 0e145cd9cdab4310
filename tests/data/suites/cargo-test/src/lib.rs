#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(1 + 1, 2);
    }

    #[test]
    #[ignore]
    fn skipped() {
        panic!("is not run");
    }
}
