"""Compiles a program with the few sources the fiber room needs, with any compiler and flags."""
import shutil

from claims import Skip


def sources(root):
    return sorted((root / "src/base").glob("*.cpp")) + sorted((root / "src/fiber").glob("*.cpp"))


def compile_with(box, compiler, flags, program, out, boost=False, checked=False):
    if shutil.which(compiler) is None:
        raise Skip(f"{compiler} is not installed")
    return box.run([compiler, "-std=c++20", f"-I{box.root}/include", f"-I{box.root}/src", "-pthread", *flags,
                    f"-DHOP_SWITCH_BOOST={int(boost)}", f"-DHOP_CHECKED={int(checked)}", box.root / program, *sources(box.root),
                    "-o", out, "-lboost_context", "-ldl"])
