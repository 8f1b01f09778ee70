// The forms of a path, one table each: what a compiler's option, an escape, a host, a share or an
// encoding puts around a folder that names somebody. Exactly what is left is said, so that a form
// that is no longer read and one that takes too much are both noticed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "admit/paths.h"
#include "admit/scrub_text.h"

namespace airlock {
namespace {

struct FormCase {
  std::string text;
  std::string left;
};

void expect_left(const std::vector<FormCase>& cases, const std::vector<std::string>& roots = {}) {
  const PathScrubber scrubber(roots);
  for (const FormCase& one : cases)
    EXPECT_EQ(scrubber.relative(one.text).value_or(one.text), one.left) << one.text;
}

void expect_kept(const std::vector<std::string>& texts,
                 const std::vector<std::string>& roots = {}) {
  const PathScrubber scrubber(roots);
  for (const std::string& text : texts)
    EXPECT_FALSE(scrubber.relative(text)) << text << " → " << *scrubber.relative(text);
}

// ---- what a path is glued to

TEST(PathForms, AnOptionIsNoPartOfThePathBehindIt) {
  expect_left({{"-I/home/ann/x", "-Ix"},
               {"-I../../home/ann/x", "-Ix"},
               {"-L..\\..\\home\\ann\\x", "-Lx"},
               {"-isystem../home/ann/x", "-isystemx"},
               {"--include../../home/ann/x", "--includex"},
               {"-Ifile://localhost/home/ann/x", "-Ix"},
               {"-Ifile:///home/ann/x", "-Ix"},
               {"-IFILE:/home/ann/x", "-Ix"},
               {"-Ic:\\users\\ann\\x", "-Ix"},
               {"-LD:/users/ann/x", "-Lx"},
               {"-IC:\\Users\\Ann Lee\\x", "-Ix"},
               {"-Wl,-rpath,../../home/ann/lib", "-Wl,-rpath,lib"},
               {"-DX=../../home/ann/x", "-DX=x"},
               {"cc -I../../home/ann/a -I/home/ann/b", "cc -Ia -Ib"}});
  expect_left({{"-I../../srv/ci/repo/a.h", "-Ia.h"}}, {"/srv/ci/repo"});
}

TEST(PathForms, AWordWithADashInItIsNoOption) {
  expect_kept({"a-b/home/ann/x", "a-b../../home/ann/x", "lib../../home/ann/x", "x-ic:/users/ann/x",
               "abc/home/ann/x", "-abcdefghijklmnopq/home/ann/x"});
}

TEST(PathForms, AnOptionIsNoPartOfAUrl) {
  expect_kept({"-xhttp://users/ann/x", "--index-url https://a.b/home/ann/x",
               "profile://localhost/home/ann/x", "-profile2://a/home/ann/x"});
}

TEST(PathForms, AnEscapeIsNoPartOfThePathBehindIt) {
  for (const char* escape :
       {"\\n", "\\r", "\\t", "\\b", "\\f", "\\0", "%3D", "%0a", "\\u003d", "\\u000A"}) {
    for (const char* path : {"/home/ann/x", "../../home/ann/x", "file://localhost/home/ann/x"})
      expect_left({{std::string("q") + escape + path, std::string("q") + escape + "x"}});
  }
}

TEST(PathForms, WhatStandsRightBeforeAFolderDecides) {
  for (const char c : std::string(" \t\n\"'`(<[{=:;,|&@#!*?+-$^")) {
    const std::string before(1, c);
    expect_left({{before + "/home/ann/x", before + "x"}});
  }
  for (const char c : std::string("az09_~."))
    expect_kept({std::string(1, c) + "/home/ann/x", "q" + std::string(1, c) + "/home/ann/x"});
}

// ---- where a name ends

TEST(PathForms, ANameEndsWhereRunningTextGoesOn) {
  for (const char c : std::string("\"'`:;,|<>()*?${}[]=&#! \t\n")) {
    const std::string after = std::string(1, c) + "x";
    expect_left({{"/home/ann" + after, "." + after}, {"/home/ann/" + after, "." + after}});
  }
  for (const char* part : {"ann.lee", "ann-lee", "ann_lee", "ann@corp", "ann+1", "ann~", "a%b"})
    expect_left({{std::string("/home/") + part + "/x", "x"}});
}

TEST(PathForms, ABlankIsPartOfANameOnlyWhereThatIsSure) {
  expect_left({{R"(C:\Users\Ann Lee\x)", "x"},
               {R"(C:\Users\Ann Maria Lee\x)", "x"},
               {R"(C:\Users\Ann Lee)", ". Lee"},
               {R"(C:\Users\Ann and then)", ". and then"},
               {"C:/Users/Ann Lee/x", ". Lee/x"},
               {"file:///C:/Users/Ann%20Lee/x", "x"},
               {"file:///home/ann%20b%20c/x", "x"},
               {"/Users/Ann%20Lee/x", "x"},
               {"/home/ann%20lee", ".%20lee"},
               {"%2Fhome%2Fann%20and%20%2Fhome%2Fbob%2Fx", ".%20and%20x"},
               {"/home/ann lee/x", ". lee/x"}});
  const std::string long_name = "a" + std::string(70, 'b') + " c";
  expect_left({{R"(C:\Users\)" + long_name + R"(\x)", R"(. c\x)"}});
}

TEST(PathForms, AFolderAloneNamesSomebodyOrNothing) {
  for (const char* folder :
       {"/home/ann", "/Users/ann", "/var/home/ann", "/export/home/ann", "/usr/home/ann",
        "/mnt/home/ann", "/run/user/1000", "/run/media/ann", "/media/ann", "/mnt/c/Users/ann",
        "/cygdrive/c/users/ann", "/c/Users/ann", "/Volumes/Disk/Users/ann",
        "/System/Volumes/Data/Users/ann", "/var/folders/zz/abc/T", "/private/var/folders/z/y/T",
        R"(C:\Users\ann)", R"(c:\documents and settings\ann)"}) {
    const std::string text = folder;
    expect_left(
        {{text, "."}, {text + "/", "."}, {text + "/x/y", "x/y"}, {"'" + text + "'", "'.'"}});
  }
  for (const char* folder : {"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/root",
                             "/var/root", "/private/var/root", "/mnt"}) {
    const std::string text = folder;
    expect_kept({text, text + "/", "in " + text + ".", "'" + text + "'"});
    expect_left({{text + "/x/y", "x/y"}});
  }
}

TEST(PathForms, DotsAreNobodysName) {
  expect_kept({"/home/../x", "/home/./x", "/Users/..", "/home/.", "/var/folders/../../x"});
  expect_left({{"/home/.ann/x", "x"}, {"/home/...ann/x", "x"}, {"/home/ann/../x", "../x"}});
}

// ---- hosts and shares

TEST(PathForms, AFileOnAnotherHostNamesItsUserToo) {
  expect_left({{"file://server/home/ann/x", "x"},
               {"file://build-7.example.com/Users/ann/x", "x"},
               {"file://server/home/ann", "."},
               {"vscode-file://vscode-app/home/ann/x", "vscode-x"},
               {"file%3A%2F%2Fhost%2Fhome%2Fann%2Fx", "x"},
               {"git+file:///home/ann/x", "git+x"},
               {"jar:file:/home/ann/x.jar!/a", "jar:x.jar!/a"},
               {"file://LOCALHOST/home/ann/x", "x"},
               {"file:///C|/Users/ann/x", "x"},
               {"file://localhost/C:/Users/ann/x", "x"}});
  expect_kept({"file://server", "file://server/", "file://server/share/x", "file:///srv/home/ann/x",
               "file:////srv/home/ann/x", "https://server/home/ann/x"});
}

TEST(PathForms, AShareIsAServerAndAName) {
  expect_left({{R"(\\server\share\x)", "x"},
               {R"(\\server\share)", "."},
               {R"(\\\\server\\share\\x)", "x"},
               {R"(\\10.0.0.7\c$\x)", "x"},
               {R"(\\server\home\ann\x)", "x"},
               {R"(\\?\UNC\server\share\x)", "x"},
               {R"(\\?\unc\server\Users\ann\x)", "x"},
               {R"(\\\\?\\UNC\\server\\share\\x)", "x"},
               {R"(\\.\C:\Users\ann\x)", "x"},
               {R"(\\wsl.localhost\Debian\home\ann\x)", "x"}});
  expect_kept({R"(\\server)", R"(\\server\)", R"(\\s\share\x)", R"(\\server\\share\x)",
               R"(\\\server\share\x)", R"(\\?\UNC)", R"(\\?\UNC\server)", R"(\\?\C:\Windows)",
               R"(\server\share)", R"(\\d+\s)"});
}

// ---- encodings

TEST(PathForms, PercentEncodingIsReadToItsEighthLevelAndNoFurther) {
  const auto encoded = [](int levels) {
    std::string slash = "%";
    for (int i = 1; i < levels; ++i) slash += "25";
    slash += "2F";
    return slash + "home" + slash + "ann" + slash + "x";
  };
  for (int levels = 1; levels <= 9; ++levels) expect_left({{encoded(levels), "x"}});
  expect_kept({encoded(10), encoded(40)});
}

TEST(PathForms, LettersThatAreEncodedAreRead) {
  expect_left({{"/%68ome/ann/x", "x"},
               {"/home/%61nn/x", "x"},
               {"%2F%68%6F%6D%65%2Fann%2Fx", "x"},
               {"%43%3A%5CUsers%5Cann%5Cx", "%43%3Ax"},
               {"C%3a%2FUsers%2Fann%2Fx", "x"}});
}

TEST(PathForms, StepsUpAreTakenAlongUpToALimit) {
  const auto steps = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "../";
    return text + "home/ann/x";
  };
  for (const int count : {1, 2, 10, 64, 65}) expect_left({{steps(count), "x"}});
  expect_kept({"./../home/ann/x", "a/../home/ann/x", ".../home/ann/x"});
}

// ---- roots

TEST(PathForms, ARootIsReadInEveryWayToWriteIt) {
  for (const char* root : {"/srv/ci/repo", "/srv/ci/repo/", "//srv//ci//repo//"}) {
    expect_left({{"/srv/ci/repo/a", "a"},
                 {"/srv/ci/repo", "."},
                 {"//srv//ci//repo//a", "a"},
                 {"%2Fsrv%2Fci%2Frepo%2Fa", "a"},
                 {"file:///srv/ci/repo/a", "a"},
                 {"file://localhost/srv/ci/repo/a", "a"},
                 {"../../srv/ci/repo/a", "a"},
                 {"/srv/ci/repo:1", ".:1"}},
                {root});
    expect_kept({"/srv/ci/repo2/a", "/srv/ci", "/SRV/CI/REPO/a", "x/srv/ci/repo/a"}, {root});
  }
}

TEST(PathForms, AWindowsRootIsReadInAnyCase) {
  for (const char* root : {R"(D:\Code\Repo)", "d:/code/repo/", R"(D:\\code\\repo\)"}) {
    expect_left({{R"(D:\Code\Repo\a)", "a"},
                 {R"(d:\code\repo\a)", "a"},
                 {"D:/CODE/REPO/a", "a"},
                 {"file:///d:/code/repo/a", "a"},
                 {R"(D:\code\repo)", "."}},
                {root});
    expect_kept({R"(E:\code\repo\a)", R"(D:\code\repo2\a)"}, {root});
  }
}

TEST(PathForms, ARootOfOneNameIsNotReachedByStepsUp) {
  expect_left({{"/output/a", "a"}}, {"/output"});
  expect_kept({"../output/a", "../../output/a"}, {"/output"});
}

TEST(PathForms, TheLongerRootGoesFirstHoweverTheyAreGiven) {
  for (const auto& roots : std::vector<std::vector<std::string>>{
           {"/a/b", "/a/b/c", "/a"}, {"/a", "/a/b/c", "/a/b"}, {"/a/b/c", "/a/b", "/a"}})
    expect_left({{"/a/b/c/x", "x"}, {"/a/b/x", "x"}, {"/a/x", "x"}}, roots);
}

// ---- through the whole scrubber, which goes on until nothing changes

TEST(PathForms, WhatOneRoundBringsToLightTheNextTakesAway) {
  TextScrubber scrubber({{"/srv/r"}, {}});
  for (const char* text :
       {"/home/ann//home/bob/x", "/home/ann/../../home/bob/x", "/srv/r//home/ann/x",
        "/tmp//tmp//home/ann/x", "file:///file:///home/ann/x", "-I/home/ann/-I/home/bob/x",
        "C:\\Users\\ann\\\\C:\\Users\\bob\\x"}) {
    const std::string left = scrubber.scrubbed(text);
    for (const char* name : {"ann", "bob", "/srv"})
      EXPECT_EQ(left.find(name), std::string::npos) << text << " → " << left;
    EXPECT_EQ(scrubber.scrubbed(left), left) << text;
  }
}

}  // namespace
}  // namespace airlock
